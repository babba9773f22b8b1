import { and, asc, desc, eq, lt, notExists, or, type SQL, sql } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import { db } from "@/db/client";
import { outgoingTransactions, relayers } from "@/db/schema/chain";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { sendRaw } from "@/lib/chain/broadcast";
import { forEachAlone, type MayGoOn } from "./for-each-alone";
import { OF_EACH, openOfEach } from "./open-of-each";
import { paceOf } from "./pace";

/**
 * Sends signed transactions that were never sent or that the chain may have lost, in the order of their nonces, and for
 * each nonce the newest version that the chain takes. If it takes none, the later nonces of that relayer wait, but not
 * those of other relayers.
 */
export async function sendAgain(chainId: ChainId, mayGoOn?: MayGoOn): Promise<void> {
  const rows = await dueTransactions(chainId);
  const lastOf = new Map<string, { nonce: number; taken: boolean }>();
  const about = ({ hash }: { hash: string }) => ({ chainId, txHash: hash });
  await forEachAlone(rows, mayGoOn, about, async ({ id, relayer, nonce, hash, raw }) => {
    const last = lastOf.get(relayer);
    // Another version of this nonce was taken, or none of an earlier nonce.
    if (last && last.taken === (last.nonce === nonce)) return;
    try {
      await sendRaw(chainId, raw);
    } catch (error) {
      log().warn({ err: error, chainId, txHash: hash }, "the chain does not take a transaction yet");
      lastOf.set(relayer, { nonce, taken: false });
      return;
    }
    lastOf.set(relayer, { nonce, taken: true });
    await db()
      .update(outgoingTransactions)
      .set({ status: "sent", sentAt: new Date() })
      .where(and(eq(outgoingTransactions.id, id), sql`${outgoingTransactions.status} in ('signed', 'sent')`));
  });
}

/**
 * Selects what is due to be sent, newest version first. A nonce of which the chain was sent a version lately is not
 * due: the chain refuses the versions before it, which would hold up later nonces.
 */
export function dueTransactions(chainId: ChainId) {
  const version = alias(outgoingTransactions, "version");
  const due = db()
    .select({
      id: outgoingTransactions.id,
      relayer: outgoingTransactions.relayer,
      nonce: outgoingTransactions.nonce,
      hash: outgoingTransactions.hash,
      raw: outgoingTransactions.raw,
    })
    .from(outgoingTransactions)
    .where(
      and(
        openOfEach,
        isDue(chainId, outgoingTransactions),
        notExists(
          db()
            .select({ id: version.id })
            .from(version)
            .where(
              and(
                eq(version.chainId, outgoingTransactions.chainId),
                eq(version.relayer, outgoingTransactions.relayer),
                eq(version.nonce, outgoingTransactions.nonce),
                sql`${version.status} in ('signed', 'sent')`,
                sql`(${isDue(chainId, version)}) is false`,
              ),
            ),
        ),
      ),
    )
    .orderBy(asc(outgoingTransactions.nonce), desc(outgoingTransactions.id))
    .limit(OF_EACH)
    .as("due");
  return db()
    .select({ id: due.id, relayer: due.relayer, nonce: due.nonce, hash: due.hash, raw: due.raw })
    .from(relayers)
    .crossJoinLateral(due)
    .where(eq(relayers.chainId, chainId))
    .orderBy(asc(due.relayer), asc(due.nonce), desc(due.id));
}

type Times = Record<"status" | "createdAt" | "sentAt", PgColumn>;

/** Selects open transactions that were signed, or last sent, so long ago that they are sent again. */
function isDue(chainId: ChainId, { status, createdAt, sentAt }: Times): SQL | undefined {
  const { signed, sent } = paceOf(chainId);
  const now = Date.now();
  return or(
    and(eq(status, "signed"), lt(createdAt, new Date(now - signed))),
    and(eq(status, "sent"), lt(sentAt, new Date(now - sent))),
  );
}
