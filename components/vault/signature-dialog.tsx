"use client";

import { useState } from "react";
import { useConnection } from "wagmi";
import { shortened } from "@/components/ui/address";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { isForAnotherWallet, purposeOf } from "@/components/wallet/purposes";
import { useSigner } from "@/components/wallet/signer";
import { WalletPicker } from "@/components/wallet/wallet-picker";
import { useWalletReady } from "@/components/wallet/wallet-provider";
import { OtherWalletDialog } from "./other-wallet-dialog";
import { SigningFrame } from "./signing-frame";
import type { VaultClient, VaultSnapshot } from "./vault-client";

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
  const { busy, error, run } = useAsyncAction({ leaves: true });
  const decline = () =>
    client.refused(request.id, { code: "invalid_request", message: "You did not sign. Nothing has happened." });
  const confirm = () => run(async () => client.signed(request.id, await sign(request.signature)));
  return (
    <SigningFrame
      purpose={purposeOf(request.signature, { again: request.id > 1, owner: client.owner.address })}
      open={open}
      busy={busy}
      waitingFor="your wallet"
      disabled={status !== "connected"}
      error={error}
      onSign={confirm}
      onDecline={decline}
    >
      {ready && status === "disconnected" ? (
        <WalletPicker />
      ) : (
        <p className="text-muted text-xs">
          {connector?.name ?? "Your wallet"} signs as{" "}
          <span className="font-mono">{shortened(client.owner.address)}</span>.
        </p>
      )}
    </SigningFrame>
  );
}
