"use client";

import { useSyncExternalStore } from "react";
import { isForAnotherWallet } from "@/components/wallet/purposes";
import { WalletProvider } from "@/components/wallet/wallet-provider";
import type { NetworkResource } from "@/lib/accounts/networks/describe-network";
import { SignatureDialog } from "./signature-dialog";
import { UnlockDialog } from "./unlock-dialog";
import type { VaultClient } from "./vault-client";

/** The dialogs that ask the wallet, with all wallet code. Loaded when the vault first needs them. */
export default function WalletDialogs({ client, network }: { client: VaultClient; network: NetworkResource }) {
  return (
    <WalletProvider network={network}>
      <Dialogs client={client} network={network} />
    </WalletProvider>
  );
}

function Dialogs({ client, network }: { client: VaultClient; network: NetworkResource }) {
  const now = useSyncExternalStore(client.subscribe, client.snapshot, client.snapshot);
  // The unlock dialog has already explained what the account's own wallet signs.
  const said = now.prompting && now.request !== null && !isForAnotherWallet(now.request.signature);
  return (
    <>
      <UnlockDialog client={client} now={now} />
      <SignatureDialog client={client} network={network} request={said ? null : now.request} />
    </>
  );
}
