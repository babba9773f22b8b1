import { setImmediate, setTimeout } from "node:timers/promises";
import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { anyOf } from "@/db/any-of";
import { db } from "@/db/client";
import { outgoingTransactions } from "@/db/schema/chain";
import type { ChainId } from "@/lib/base/network";
import { inSpan } from "@/lib/base/telemetry/in-span";
import { log } from "@/lib/base/telemetry/log";
import { publicClient } from "./clients";

const SETTLE_MS = 50;
const sent = new Map<ChainId, Set<Hex>>();
const underWay = new Set<Promise<void>>();

/**
 * Sends a committed transaction in the background. If sending fails, or the process dies first, the worker sends the
 * same bytes again.
 */
export function broadcast({ chainId, txHash, raw }: { chainId: ChainId; txHash: Hex; raw: Hex }): void {
  const attributes = { "halcyon.chain_id": chainId, "halcyon.tx_hash": txHash };
  inBackground(async () => {
    try {
      // Building the request takes about as long as a query, so the caller's response is written first.
      await setImmediate();
      if (await inSpan("broadcast", attributes, () => sendRaw(chainId, raw))) noteSent(chainId, txHash);
    } catch (error) {
      log().warn({ err: error, chainId, txHash }, "broadcast failed, the worker will repeat it");
    }
  });
}

/** Waits until no transaction is being sent or marked as sent, for a process that is about to close its database. */
export async function broadcastsDone(): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay);
}

/** @param work must not throw */
function inBackground(work: () => Promise<void>): void {
  const running = work().finally(() => underWay.delete(running));
  underWay.add(running);
}

/**
 * Sends signed bytes to the chain. Returns true if the chain has them, now or from before; false if their nonce is used
 * up, by them or by another transaction (receipts show which).
 *
 * @throws Error if the chain can't be reached or refuses them for now
 */
export async function sendRaw(chainId: ChainId, raw: Hex): Promise<boolean> {
  try {
    await publicClient(chainId).request({ method: "eth_sendRawTransaction", params: [raw] }, { retryCount: 0 });
    return true;
  } catch (error) {
    const text = error instanceof Error ? `${error.message} ${"details" in error ? String(error.details) : ""}` : "";
    if (/already known|already imported|known transaction/i.test(text)) return true;
    if (/nonce too low/i.test(text)) return false;
    throw error;
  }
}

/** Marks transactions as sent, in batches and in the background. */
function noteSent(chainId: ChainId, hash: Hex): void {
  const waiting = sent.get(chainId);
  if (waiting) {
    waiting.add(hash);
    return;
  }
  sent.set(chainId, new Set([hash]));
  inBackground(async () => {
    await setTimeout(SETTLE_MS);
    const hashes = [...(sent.get(chainId) ?? [])];
    sent.delete(chainId);
    try {
      await markSent(chainId, hashes);
    } catch (error) {
      log().warn({ err: error }, "could not mark transactions as sent");
    }
  });
}

/** Records that the chain has these transactions. Those that have been mined in the meantime stay mined. */
async function markSent(chainId: ChainId, hashes: readonly Hex[]): Promise<void> {
  const { status, sentAt } = outgoingTransactions;
  await db()
    .update(outgoingTransactions)
    .set({ status: sql`case when ${status} = 'signed' then 'sent' else ${status} end`, sentAt: new Date() })
    .where(
      and(
        eq(outgoingTransactions.chainId, chainId),
        anyOf(outgoingTransactions.hash, hashes),
        or(eq(status, "signed"), isNull(sentAt)),
      ),
    );
}
