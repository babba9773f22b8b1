"use client";

import { useState } from "react";
import { type Address, isAddressEqual } from "viem";
import { useConnection } from "wagmi";
import { Callout } from "@/components/ui/callout";
import { WalletPicker } from "@/components/wallet/wallet-picker";
import { useWalletReady } from "@/components/wallet/wallet-provider";
import { wrongWallet } from "@/components/wallet/wrong-wallet";
import { ChosenWallet } from "./signing-frame";

/** The wallet that is connected, as far as the account's signatures need it. */
interface AccountWallet {
  owner: Address;
  name: string | undefined;
  address: Address | undefined;
  /** Whether the last used wallet has not responded yet. It may never do, so another can be chosen. */
  isReconnecting: boolean;
  /** Whether a wallet must be chosen first. */
  mustChoose: boolean;
  /** Whether the account's own wallet is connected, so that it can be asked. */
  canSign: boolean;
  /** Shows or hides the choice of wallets. */
  choose(choosing: boolean): void;
}

/** Returns the connected wallet. It signs only if it is the owner's. */
export function useAccountWallet(owner: Address): AccountWallet {
  const { address, status, connector } = useConnection();
  const ready = useWalletReady();
  const [choosing, choose] = useState(false);
  // While another one asks whether to allow this page, the one before stays connected and can be chosen again.
  const isPresent = status === "connected" || (status === "connecting" && address !== undefined && !choosing);
  const mustChoose = choosing || (ready && !isPresent);
  return {
    owner,
    name: connector?.name,
    address,
    isReconnecting: !ready && !isPresent,
    mustChoose,
    canSign: isPresent && !mustChoose && address !== undefined && isAddressEqual(address, owner),
    choose,
  };
}

/** Shows the wallet that will sign, or the choice of wallets, and says if it is another account's. */
export function ShownWallet({ wallet, disabled }: { wallet: AccountWallet; disabled: boolean }) {
  const { owner, name, address, mustChoose, choose } = wallet;
  return (
    <>
      {mustChoose ? (
        <WalletPicker onConnected={() => choose(false)} />
      ) : (
        <ChosenWallet name={name} address={address} disabled={disabled} onAnother={() => choose(true)} />
      )}
      {address && !isAddressEqual(address, owner) && (
        <Callout tone="danger">{wrongWallet(owner, address).message}</Callout>
      )}
    </>
  );
}
