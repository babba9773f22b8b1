import { createWalletClient, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Wallet } from "./wallet";

/** The wallet of a private key held by this process. The key never leaves it. */
export function keyWallet(privateKey: Hex): Wallet {
  const account = privateKeyToAccount(privateKey);
  return {
    address: account.address,
    unattended: true,
    signTypedData: (data) => account.signTypedData(data),
    signMessage: (input) => account.signMessage(input),
    sendTransaction: (call, rpcUrl) =>
      createWalletClient({ account, transport: http(rpcUrl) }).sendTransaction({ ...call, chain: null }),
  };
}
