"use client";

import { useRef, useState } from "react";
import { useConnection } from "wagmi";
import { messageOf } from "@/components/api/message-of";
import { shortened } from "@/components/ui/address";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { isForAnotherWallet, purposeOf } from "@/components/wallet/purposes";
import { useSigner } from "@/components/wallet/signer";
import { WalletPicker } from "@/components/wallet/wallet-picker";
import { useWalletReady } from "@/components/wallet/wallet-provider";
import type { VaultClient, VaultSnapshot } from "./client";
import { OtherWalletDialog } from "./other-wallet-dialog";

type Request = NonNullable<VaultSnapshot["request"]>;

/** Says what a signature is for, then lets the wallet ask. Declining fails what needed it, and nothing else. */
export function SignatureDialog({ client, request }: { client: VaultClient; request: Request | null }) {
  // While it closes, the dialog still shows what it was about.
  const [shown, setShown] = useState(request);
  if (request && request !== shown) setShown(request);
  if (shown && isForAnotherWallet(shown.signature)) {
    return <OtherWalletDialog client={client} request={shown} open={request !== null} />;
  }
  return shown && <Asking key={shown.id} client={client} request={shown} open={request !== null} />;
}

function Asking({ client, request, open }: { client: VaultClient; request: Request; open: boolean }) {
  const { status, connector } = useConnection();
  const ready = useWalletReady();
  const sign = useSigner(client.owner.address);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const { title, sentence } = purposeOf(request.signature, request.id > 1);

  const decline = () =>
    client.refused(request.id, { code: "invalid_request", message: "You did not sign. Nothing has happened." });
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      client.signed(request.id, await sign(request.signature));
    } catch (thrown) {
      setError(messageOf(thrown));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={decline}
      dismissible={!busy}
      initialFocus={button}
      width="small"
      title={title}
      description={sentence}
      footer={
        <>
          <Button onClick={decline} disabled={busy}>
            Do not sign
          </Button>
          <Button ref={button} tone="primary" busy={busy} disabled={status !== "connected"} onClick={confirm}>
            {busy ? "Waiting for your wallet" : "Sign"}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 text-sm">
        {ready && status === "disconnected" ? (
          <WalletPicker />
        ) : (
          <p className="text-muted text-xs">
            {connector?.name ?? "Your wallet"} signs as{" "}
            <span className="font-mono">{shortened(client.owner.address)}</span>.
          </p>
        )}
        {error && <Callout tone="danger">{error}</Callout>}
      </div>
    </Dialog>
  );
}
