"use client";

import { useState } from "react";
import type { Address } from "viem";
import { type Connector, useSignMessage } from "wagmi";
import { messageOf } from "@/components/api/message-of";
import { Callout } from "@/components/ui/callout";
import type { NetworkResource } from "@/lib/networks/describe-network";
import { SIGN_IN } from "./purposes";
import { signIn } from "./sign-in";
import { walletError } from "./signer";
import { TestWalletKey } from "./test-wallet-key";
import { WalletPicker } from "./wallet-picker";
import { WalletProvider } from "./wallet-provider";

interface Props {
  network: NetworkResource;
  /** Where to go then: a path of this origin. */
  next: string;
}

/** Chooses a wallet and signs in with it. */
export default function SignInPanel(props: Props) {
  return (
    <WalletProvider network={props.network}>
      <Panel {...props} />
    </WalletProvider>
  );
}

function Panel({ network, next }: Props) {
  const { mutateAsync: signMessage } = useSignMessage();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const enter = async (connector: Connector, address: Address) => {
    setBusy(true);
    setError(undefined);
    try {
      await signIn(network.network, address, (message) =>
        signMessage({ message, account: address, connector }).catch((thrown) => {
          throw walletError(thrown);
        }),
      );
      // A new page: nothing rendered for nobody, or for somebody else, stays.
      location.assign(next);
    } catch (thrown) {
      setError(messageOf(thrown));
      setBusy(false);
    }
  };
  return (
    <div className="grid gap-4">
      <WalletPicker onConnected={enter} busy={busy} />
      {error && <Callout tone="danger">{error}</Callout>}
      <p className="text-pretty text-muted text-xs">{SIGN_IN.sentence}</p>
      {network.local && <TestWalletKey />}
    </div>
  );
}
