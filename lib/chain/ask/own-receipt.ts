import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { db } from "@/db/client";
import { outgoingTransactions } from "@/db/schema/chain";
import type { ChainId } from "@/lib/base/network";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";
import { batchingClient } from "../clients";
import { agreedReceipt, eventsOf } from "./agreed-receipt";

/** A successful transaction in a block of the chain, and the ledger's events in it. */
interface Success {
  txHash: Hex;
  blockNumber: bigint;
  events: LedgerEvent[];
}

/**
 * Returns a transaction's success, provided that its block is part of the chain. Returns null if it reverted or the
 * node has no receipt. If a second provider is configured, it must show the same.
 *
 * @throws ChainContradiction if it doesn't
 */
export async function successOf(chainId: ChainId, txHash: Hex): Promise<Success | null> {
  const receipt = await agreedReceipt(chainId, txHash);
  if (!receipt || BigInt(receipt.status) !== 1n) return null;
  const block = await batchingClient(chainId).request({
    method: "eth_getBlockByNumber",
    params: [receipt.blockNumber, false],
  });
  if (block?.hash !== receipt.blockHash) return null;
  return { txHash, blockNumber: BigInt(receipt.blockNumber), events: eventsOf(chainId, receipt) };
}

/** Returns the successful attempt of an operation, if there is one. */
export async function ownSuccess(chainId: ChainId, operationId: string): Promise<Success | null> {
  const attempts = await db()
    .select({ hash: outgoingTransactions.hash })
    .from(outgoingTransactions)
    .where(eq(outgoingTransactions.operationId, operationId));
  const found = await Promise.all(attempts.map(({ hash }) => successOf(chainId, hash)));
  return found.find((success) => success !== null) ?? null;
}
