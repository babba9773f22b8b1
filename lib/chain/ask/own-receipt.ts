import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import type { Hex, RpcTransactionReceipt } from "viem";
import { db } from "@/db/client";
import { outgoingTransactions } from "@/db/schema/chain";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";
import type { ChainId } from "@/lib/network";
import { batchingClient, chainEnv, checkingClient } from "../clients";
import { receiptOf } from "../index/block-receipts";
import { ChainContradiction } from "../index/chain-contradiction";
import { decodeLedgerLogs, type RpcLog } from "../index/ledger-logs";

/** A transaction that succeeded in a block of the chain, and what the ledger said in it. */
interface Success {
  txHash: Hex;
  blockNumber: bigint;
  events: LedgerEvent[];
}

/** What the ledger said in a transaction. */
export function eventsOf(chainId: ChainId, receipt: RpcTransactionReceipt): LedgerEvent[] {
  const ledger = chainEnv(chainId).ledger.toLowerCase();
  return decodeLedgerLogs((receipt.logs as RpcLog[]).filter(({ address }) => address.toLowerCase() === ledger));
}

/**
 * A transaction's success, as long as its block is part of the chain; null when it reverted or the node has no receipt. A
 * second provider, where one is set, has to show the same.
 *
 * @throws ChainContradiction when it does not
 */
export async function successOf(chainId: ChainId, txHash: Hex): Promise<Success | null> {
  const receipt = await receiptOf(chainId, txHash);
  if (!receipt || BigInt(receipt.status) !== 1n) return null;
  const block = await batchingClient(chainId).request({
    method: "eth_getBlockByNumber",
    params: [receipt.blockNumber, false],
  });
  if (block?.hash !== receipt.blockHash) return null;
  const second = checkingClient(chainId);
  if (second) {
    const theirs = await second.request({ method: "eth_getTransactionReceipt", params: [txHash] });
    const said = (one: RpcTransactionReceipt | null) => one && [one.blockHash, one.status, eventsOf(chainId, one)];
    if (!isDeepStrictEqual(said(theirs), said(receipt))) throw new ChainContradiction("two providers that differ");
  }
  return { txHash, blockNumber: BigInt(receipt.blockNumber), events: eventsOf(chainId, receipt) };
}

/** The attempt of an operation that succeeded, if any did. */
export async function ownSuccess(chainId: ChainId, operationId: string): Promise<Success | null> {
  const attempts = await db()
    .select({ hash: outgoingTransactions.hash })
    .from(outgoingTransactions)
    .where(eq(outgoingTransactions.operationId, operationId));
  const found = await Promise.all(attempts.map(({ hash }) => successOf(chainId, hash)));
  return found.find((success) => success !== null) ?? null;
}
