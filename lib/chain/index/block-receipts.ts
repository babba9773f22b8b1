import { type Hex, MethodNotFoundRpcError, MethodNotSupportedRpcError, type RpcTransactionReceipt } from "viem";
import type { ChainId } from "@/lib/base/network";
import { ChainContradiction } from "../chain-contradiction";
import { batchingClient } from "../clients";
import { joinBlooms } from "./bloom";
import type { Header } from "./read-headers";

/**
 * Returns the receipts of all transactions of a block. The block's bloom proves that they are complete.
 *
 * @throws ChainContradiction if some are missing or of another block
 */
export async function blockReceipts(chainId: ChainId, header: Header): Promise<RpcTransactionReceipt[]> {
  const receipts = (await asked(chainId, header)) ?? [];
  const whole =
    receipts.every((receipt) => receipt?.blockHash === header.hash) &&
    receipts.length === header.transactions.length &&
    joinBlooms(receipts.map(({ logsBloom }) => logsBloom)) === BigInt(header.logsBloom);
  if (!whole) throw new ChainContradiction("receipts that are not all of the block");
  return receipts;
}

async function asked(chainId: ChainId, { hash, transactions }: Header): Promise<RpcTransactionReceipt[] | null> {
  const client = batchingClient(chainId);
  try {
    return await client.request({ method: "eth_getBlockReceipts", params: [hash] });
  } catch (error) {
    // Not every node supports this method.
    if (!(error instanceof MethodNotFoundRpcError) && !(error instanceof MethodNotSupportedRpcError)) throw error;
  }
  const each = await Promise.all(transactions.map((transaction) => receiptOf(chainId, transaction)));
  return each.filter((receipt) => receipt !== null);
}

/** Returns a transaction's receipt, or null if the node has none (yet). */
export function receiptOf(chainId: ChainId, hash: Hex): Promise<RpcTransactionReceipt | null> {
  return batchingClient(chainId).request({ method: "eth_getTransactionReceipt", params: [hash] });
}
