import { createWalletClient, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { rpcTransport } from "./rpc-transport";
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
      createWalletClient({ account, transport: rpcTransport(rpcUrl) }).sendTransaction({ ...call, chain: null }),
  };
}
