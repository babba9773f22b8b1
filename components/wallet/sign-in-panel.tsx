"use client";

import { useState } from "react";
import type { Address } from "viem";
import { type Connector, useSignMessage } from "wagmi";
import { describeError } from "@/components/api/describe-error";
import { Callout } from "@/components/ui/callout";
import { ErrorWordsProvider } from "@/components/ui/error-words";
import { ToastProvider } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { NetworkResource } from "@/lib/accounts/networks/describe-network";
import { SIGN_IN } from "./purposes";
import { signIn } from "./sign-in";
import { walletError } from "./signer";
import { TestWalletKey } from "./test-wallet-key";
import { WalletPicker } from "./wallet-picker";
import { WalletProvider } from "./wallet-provider";

interface Props {
  network: NetworkResource;
  /** Where to go afterwards: a path on this origin. */
  next: string;
}

/** Chooses a wallet and signs in with it. */
export default function SignInPanel(props: Props) {
  return (
    <ErrorWordsProvider describe={describeError}>
      <ToastProvider>
        <WalletProvider network={props.network}>
          <Panel {...props} />
        </WalletProvider>
      </ToastProvider>
    </ErrorWordsProvider>
  );
}

function Panel({ network, next }: Props) {
  const { mutateAsync: signMessage } = useSignMessage();
  const { busy, error, run } = useAsyncAction({ leaves: true });
  const [entered, setEntered] = useState(false);

  const enter = (connector: Connector, address: Address, signal: AbortSignal) =>
    run(async () => {
      const sign = (message: string) =>
        signMessage({ message, account: address, connector }).catch((thrown) => {
          throw walletError(thrown);
        });
      await signIn(network.network, address, sign, signal);
      setEntered(true);
      // A full page load, so that nothing rendered for another visitor stays.
      location.assign(next);
    });
  return (
    <div className="grid gap-4">
      <WalletPicker onConnected={enter} busy={busy} cancellable={!entered} />
      {error && <Callout tone="danger">{error}</Callout>}
      <p className="text-pretty text-muted text-xs">{SIGN_IN.sentence}</p>
      {network.local && <TestWalletKey />}
    </div>
  );
}
