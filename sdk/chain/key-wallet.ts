import { createWalletClient, type Hex, keccak256 } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { AbortableCall } from "../api/abortable-call";
import { CallAborted } from "../api/call-aborted";
import { rpcTransport } from "./rpc-transport";
import type { Wallet } from "./wallet";

/** Creates a wallet from a private key in this process. The key never leaves the process. */
export function keyWallet(privateKey: Hex): Wallet {
  const account = privateKeyToAccount(privateKey);
  return {
    address: account.address,
    unattended: true,
    signTypedData: (data) => account.signTypedData(data),
    signMessage: (input) => account.signMessage(input),
    sendTransaction: async (transaction, rpcUrl, { signal } = {}) => {
      const call = new AbortableCall({ signal });
      const client = createWalletClient({ account, transport: rpcTransport(rpcUrl, call) });
      const prepared = await call.whileWanted(client.prepareTransactionRequest({ ...transaction, chain: null }));
      const serializedTransaction = await client.signTransaction({ ...prepared, chain: null });
      call.throwIfAborted();
      // From here on the transaction may happen. Return its hash even when aborted, so that the caller can look it up
      // instead of sending another.
      const sender = createWalletClient({ transport: rpcTransport(rpcUrl) });
      const sent = sender.sendRawTransaction({ serializedTransaction });
      return call.whileWanted(sent).catch((error: unknown) => {
        if (error instanceof CallAborted) return keccak256(serializedTransaction);
        throw error;
      });
    },
  };
}
