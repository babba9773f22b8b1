import { and, asc, eq, lt, or, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { outgoingTransactions } from "@/db/schema/chain";
import { sendRaw } from "@/lib/chain/broadcast";
import type { ChainId } from "@/lib/network";
import { log } from "@/lib/telemetry/log";
import { paceOf } from "./pace";

/** Sends signed bytes that were never sent, or that the chain may have lost. In the order of their nonces. */
export async function sendAgain(chainId: ChainId): Promise<void> {
  const pace = paceOf(chainId);
  const now = Date.now();
  const rows = await db()
    .select({ id: outgoingTransactions.id, hash: outgoingTransactions.hash, raw: outgoingTransactions.raw })
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
  for (const { id, hash, raw } of rows) {
    try {
      await sendRaw(chainId, raw);
    } catch (error) {
      log().warn({ err: error, chainId, txHash: hash }, "the chain does not take a transaction yet");
      return;
    }
    await db()
      .update(outgoingTransactions)
      .set({ status: "sent", sentAt: new Date() })
      .where(and(eq(outgoingTransactions.id, id), sql`${outgoingTransactions.status} in ('signed', 'sent')`));
  }
}
