import { and, asc, eq, lt, or, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { outgoingTransactions } from "@/db/schema/chain";
import { sendRaw } from "@/lib/chain/broadcast";
import type { ChainId } from "@/lib/network";
import { log } from "@/lib/telemetry/log";
import { forEachAlone, type MayGoOn } from "./for-each-alone";
import { paceOf } from "./pace";

/**
 * Sends signed transactions that were never sent or that the chain may have lost, in the order of their nonces. If the
 * chain refuses one, the later ones of its relayer wait, but not those of other relayers.
 */
export async function sendAgain(chainId: ChainId, mayGoOn?: MayGoOn): Promise<void> {
  const pace = paceOf(chainId);
  const now = Date.now();
  const rows = await db()
    .select({
      id: outgoingTransactions.id,
      relayer: outgoingTransactions.relayer,
      hash: outgoingTransactions.hash,
      raw: outgoingTransactions.raw,
    })
    .from(outgoingTransactions)
    .where(
      and(
        eq(outgoingTransactions.chainId, chainId),
        or(
          and(
            eq(outgoingTransactions.status, "signed"),
            lt(outgoingTransactions.createdAt, new Date(now - pace.signed)),
          ),
          and(eq(outgoingTransactions.status, "sent"), lt(outgoingTransactions.sentAt, new Date(now - pace.sent))),
        ),
      ),
    )
    .orderBy(asc(outgoingTransactions.relayer), asc(outgoingTransactions.nonce))
    .limit(500);
  const refused = new Set<string>();
  const about = ({ hash }: { hash: string }) => ({ chainId, txHash: hash });
  await forEachAlone(rows, mayGoOn, about, async ({ id, relayer, hash, raw }) => {
    if (refused.has(relayer)) return;
    try {
      await sendRaw(chainId, raw);
    } catch (error) {
      log().warn({ err: error, chainId, txHash: hash }, "the chain does not take a transaction yet");
      refused.add(relayer);
      return;
    }
    await db()
      .update(outgoingTransactions)
      .set({ status: "sent", sentAt: new Date() })
      .where(and(eq(outgoingTransactions.id, id), sql`${outgoingTransactions.status} in ('signed', 'sent')`));
  });
}
