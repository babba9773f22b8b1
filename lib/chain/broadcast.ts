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

/**
 * Sends a committed transaction in the background. If sending fails, or the process dies first, the worker sends the
 * same bytes again.
 */
export function broadcast({ chainId, txHash, raw }: { chainId: ChainId; txHash: Hex; raw: Hex }): void {
  const attributes = { "halcyon.chain_id": chainId, "halcyon.tx_hash": txHash };
  // Building the request takes about as long as a query, so the caller's response is written first.
  setImmediate(() => {
    inSpan("broadcast", attributes, () => sendRaw(chainId, raw)).then(
      (accepted) => {
        if (accepted) noteSent(chainId, txHash);
      },
      (error) => log().warn({ err: error, chainId, txHash }, "broadcast failed, the worker will repeat it"),
    );
  });
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
  setTimeout(() => {
    const hashes = [...(sent.get(chainId) ?? [])];
    sent.delete(chainId);
    markSent(chainId, hashes).catch((error) => log().warn({ err: error }, "could not mark transactions as sent"));
  }, SETTLE_MS).unref();
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
