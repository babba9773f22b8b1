"use client";

import { type Address, isAddressEqual } from "viem";
import { type Connector, useSignMessage } from "wagmi";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { NetworkResource } from "@/lib/accounts/networks/describe-network";
import { signIn } from "./sign-in";
import { walletError } from "./signer";
import { WalletPicker } from "./wallet-picker";
import { WalletProvider } from "./wallet-provider";
import { wrongWallet } from "./wrong-wallet";

interface Props {
  network: NetworkResource;
  /** The account of this page. */
  address: Address;
  open: boolean;
  onDone: () => void;
  onClose: () => void;
}

/** Signs in again in a dialog over the unchanged page. */
export default function SignInDialog(props: Props) {
  return (
    <WalletProvider network={props.network}>
      <Content {...props} />
    </WalletProvider>
  );
}

function Content({ network, address: owner, open, onDone, onClose }: Props) {
  const { mutateAsync: signMessage } = useSignMessage();
  const { busy, error, run } = useAsyncAction();
  const enter = (connector: Connector, address: Address, signal: AbortSignal) =>
    run(async () => {
      if (!isAddressEqual(address, owner)) throw wrongWallet(owner, address);
      const sign = (message: string) =>
        signMessage({ message, account: address, connector }).catch((thrown) => {
          throw walletError(thrown);
        });
      await signIn(network.network, address, sign, signal);
      onDone();
    });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      dismissible={!busy}
      width="small"
      title="Sign in again"
      description="Your session has ended. One signature continues it: this page stays as it is, with what you typed."
      footer={
        <Button onClick={onClose} disabled={busy}>
          Not now
        </Button>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <WalletPicker onConnected={enter} busy={busy} />
        {error && <Callout tone="danger">{error}</Callout>}
      </div>
    </Dialog>
  );
}
