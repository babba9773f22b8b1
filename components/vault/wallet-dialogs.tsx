"use client";

import { useSyncExternalStore } from "react";
import { isForAnotherWallet } from "@/components/wallet/purposes";
import { WalletProvider } from "@/components/wallet/wallet-provider";
import type { NetworkResource } from "@/lib/networks/describe-network";
import { SignatureDialog } from "./signature-dialog";
import { UnlockDialog } from "./unlock-dialog";
import type { VaultClient } from "./vault-client";

/** What asks the wallet, with all wallet code: loaded when the vault first needs it. */
export default function WalletDialogs({ client, network }: { client: VaultClient; network: NetworkResource }) {
  return (
    <WalletProvider network={network}>
      <Dialogs client={client} />
    </WalletProvider>
  );
}

function Dialogs({ client }: { client: VaultClient }) {
  const now = useSyncExternalStore(client.subscribe, client.snapshot, client.snapshot);
  // The dialog of the unlock has said what the account's own wallet is asked for.
  const said = now.prompting && now.request !== null && !isForAnotherWallet(now.request.signature);
  return (
    <>
      <UnlockDialog client={client} now={now} />
      <SignatureDialog client={client} request={said ? null : now.request} />
    </>
  );
}
