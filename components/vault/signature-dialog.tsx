"use client";

import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { onDemand } from "@/components/ui/on-demand";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { isForAnotherWallet, isRepeat, purposeOf } from "@/components/wallet/purposes";
import { useSigner } from "@/components/wallet/signer";
import {
  type ActToSign,
  actBeingSigned,
  purposeIn,
  type SignedContracts,
  subscribeSigning,
} from "@/components/wallet/signing-for";
import type { HalcyonError } from "@/sdk/api/errors";
import { ShownWallet, useAccountWallet } from "./account-wallet";
import { declining } from "./declining";
import { SigningFrame } from "./signing-frame";
import type { VaultClient, VaultSnapshot } from "./vault-client";

const OtherWalletDialog = onDemand(() => import("./other-wallet-dialog").then((module) => module.OtherWalletDialog));

type Request = NonNullable<VaultSnapshot["request"]>;

/**
 * Explains what a signature is for, then lets the wallet ask. Declining fails only the run that needed the signature.
 * The second of two same signatures is asked for at once: the dialog of the first has said that there are two.
 */
export function SignatureDialog({
  client,
  network,
  request,
}: {
  client: VaultClient;
  network: SignedContracts;
  request: Request | null;
}) {
  // Keeps the content while the dialog closes.
  const [shown, setShown] = useState(request);
  if (request && request !== shown) setShown(request);
  if (shown && isForAnotherWallet(shown.signature)) {
    const decline = () => client.refused(shown.id, declining(shown.signature, false).error);
    return <OtherWalletDialog client={client} request={shown} open={request !== null} onClose={decline} />;
  }
  return shown && <Asking key={shown.id} client={client} network={network} request={shown} open={request !== null} />;
}

/** Returns what the person has confirmed and this signature is for, or null if nothing is known of it. */
function useActToSign({ signature }: Request, network: SignedContracts): ActToSign | null {
  const read = () => actBeingSigned(signature, network);
  const act = useSyncExternalStore(subscribeSigning, read, read);
  // Keeps the content while the dialog closes.
  const [shown, setShown] = useState(act);
  if (act && act !== shown) setShown(act);
  return shown;
}

interface AskingProps {
  client: VaultClient;
  network: SignedContracts;
  request: Request;
  open: boolean;
}

function Asking({ client, network, request, open }: AskingProps) {
  const wallet = useAccountWallet(client.owner.address);
  const act = useActToSign(request, network);
  const sign = useSigner(client.owner.address);
  const { busy, error, run } = useAsyncAction({ leaves: true });
  const decline = declining(request.signature, busy);
  const confirm = () =>
    run(async () => {
      client.asks(request.id);
      try {
        client.signed(request.id, await sign(request.signature, () => client.isAsked(request.id)));
      } catch (thrown) {
        const { code, message, mayHaveHappened } = thrown as HalcyonError;
        // Asked again, the wallet might send a second transaction.
        if (!mayHaveHappened) throw thrown;
        client.refused(request.id, { code, message });
      }
    });
  const repeats = isRepeat(request);
  const asked = useRef(false);
  const confirmed = useEffectEvent(confirm);
  useEffect(() => {
    if (!repeats || !wallet.canSign || asked.current) return;
    asked.current = true;
    void confirmed();
  }, [repeats, wallet.canSign]);
  return (
    <SigningFrame
      purpose={
        purposeIn(act, request.signature) ??
        purposeOf(request.signature, { again: request.again, rotates: request.rotates, owner: client.owner.address })
      }
      open={open}
      busy={busy}
      waitingFor="your wallet"
      disabled={!wallet.canSign}
      error={error}
      decline={decline.label}
      onSign={confirm}
      onDecline={() => client.refused(request.id, decline.error)}
    >
      {act && act.facts.length > 0 && <Facts act={act} />}
      <ShownWallet wallet={wallet} disabled={busy} />
    </SigningFrame>
  );
}

/** Shows what the signature pays, with the figures that the person has just confirmed. */
function Facts({ act: { facts } }: { act: ActToSign }) {
  return (
    <dl className="divide-y divide-line rounded-lg border border-line">
      {facts.map(({ name, value }) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4 px-3.5 py-2">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere min-w-0 font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
