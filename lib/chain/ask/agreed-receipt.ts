import { isDeepStrictEqual } from "node:util";
import type { Hex, RpcTransactionReceipt } from "viem";
import type { ChainId } from "@/lib/base/network";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";
import { twoThatDiffer } from "../chain-contradiction";
import { chainEnv, checkingClient } from "../clients";
import { receiptOf } from "../index/block-receipts";
import { decodeLedgerLogs, type RpcLog } from "../index/ledger-logs";

/** Returns the ledger's events in a transaction. */
export function eventsOf(chainId: ChainId, receipt: RpcTransactionReceipt): LedgerEvent[] {
  const ledger = chainEnv(chainId).ledger.toLowerCase();
  return decodeLedgerLogs((receipt.logs as RpcLog[]).filter(({ address }) => address.toLowerCase() === ledger));
}

/**
 * Returns a transaction's receipt, or null if there is none (yet). If a second provider is configured, it must show the
 * same block, status and ledger events, or have none either.
 *
 * @throws ChainContradiction if it doesn't
 */
export async function agreedReceipt(chainId: ChainId, txHash: Hex): Promise<RpcTransactionReceipt | null> {
  const second = checkingClient(chainId);
  const [receipt, theirs] = await Promise.all([
    receiptOf(chainId, txHash),
    second?.request({ method: "eth_getTransactionReceipt", params: [txHash] }),
  ]);
  const said = (one: RpcTransactionReceipt | null | undefined) =>
    one ? [one.blockHash, one.status, one.from.toLowerCase(), eventsOf(chainId, one)] : null;
  if (second && !isDeepStrictEqual(said(theirs), said(receipt)))
    throw twoThatDiffer(chainId, `the receipt of ${txHash}`);
  return receipt;
}
