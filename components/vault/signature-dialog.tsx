"use client";

import dynamic from "next/dynamic";
import { useState, useSyncExternalStore } from "react";
import { useConnection } from "wagmi";
import { shortened } from "@/components/ui/address";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { isForAnotherWallet, purposeOf } from "@/components/wallet/purposes";
import { useSigner } from "@/components/wallet/signer";
import { factsToSign, subscribeSigning } from "@/components/wallet/signing-for";
import { WalletPicker } from "@/components/wallet/wallet-picker";
import { useWalletReady } from "@/components/wallet/wallet-provider";
import { SigningFrame } from "./signing-frame";
import type { VaultClient, VaultSnapshot } from "./vault-client";

const OtherWalletDialog = dynamic(() => import("./other-wallet-dialog"), { ssr: false });

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
      <Facts request={request} />
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

/** What is paid by it, in the figures that the person has just confirmed. */
function Facts({ request: { signature } }: { request: Request }) {
  const type = signature.kind === "typed-data" ? signature.data.primaryType : null;
  const read = () => factsToSign(type);
  const facts = useSyncExternalStore(subscribeSigning, read, read);
  // While it closes, the dialog still shows what it was about.
  const [shown, setShown] = useState(facts);
  if (facts.length > 0 && facts !== shown) setShown(facts);
  if (shown.length === 0) return null;
  return (
    <dl className="divide-y divide-line rounded-lg border border-line">
      {shown.map(({ name, value }) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4 px-3.5 py-2">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere min-w-0 font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
