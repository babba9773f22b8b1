import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { noticedThings } from "@/db/schema/notifications";
import { webhooks } from "@/db/schema/webhooks";
import { env } from "@/lib/base/env";
import type { ChainId } from "@/lib/base/network";
import type { NotificationKind } from "@/lib/events/notification-kinds";
import { notifyOwner } from "@/lib/events/notify-owner";

/** How long a webhook must have been failing before its owner is notified. Most recover sooner. */
export const FAILING_MINUTES = 15;
/** How many deliveries in a row must have failed by then. */
const FAILURES = 3;
const LONGEST_REMINDER_MS = 2 * 3_600_000;
const BATCH = 200;
const PAUSE_MS = 20_000;

/**
 * Returns how long before a payment's approval window ends to send the reminder, in milliseconds: two hours, or a
 * quarter of a short window.
 */
export const reminderMs = (): number => Math.min(LONGEST_REMINDER_MS, (env().approvalWindowSeconds * 1_000) / 4);

interface Noticed {
  kind: NotificationKind;
  subject: string;
  rootId: string;
  chainId: ChainId;
}

/**
 * Notifies owners of what only the passing of time brings about, once each: payments that are about to expire and
 * webhooks that keep failing. Safe to run in any number of workers at once.
 *
 * @returns in how many milliseconds to look again
 */
export async function notice(now = new Date()): Promise<number> {
  const found = [...(await expiring(now)), ...(await failing(now))];
  for (const one of found) await noticeOnce(one, now);
  return found.length >= BATCH ? 0 : PAUSE_MS;
}

/** Each notification has its own transaction, so that none waits for the locks of another owner. */
async function noticeOnce({ kind, subject, rootId, chainId }: Noticed, now: Date): Promise<void> {
  await db().transaction(async (tx) => {
    const [first] = await tx
      .insert(noticedThings)
      .values({ kind, subject, noticedAt: now })
      .onConflictDoNothing()
      .returning({ subject: noticedThings.subject });
    if (first) await notifyOwner(tx, { rootId, chainId }, kind, now);
  });
}

async function expiring(now: Date): Promise<Noticed[]> {
  const until = new Date(now.getTime() + reminderMs());
  const rows = await db()
    .select({ subject: heldPayments.id, rootId: heldPayments.rootId, chainId: heldPayments.chainId })
    .from(heldPayments)
    .where(
      sql`${heldPayments.status} = 'pending_approval' and ${heldPayments.expiresAt} > ${now.toISOString()}::timestamptz
        and ${heldPayments.expiresAt} <= ${until.toISOString()}::timestamptz
        and ${unnoticed("approval_expiring", sql`${heldPayments.id}`)}`,
    )
    .orderBy(heldPayments.expiresAt)
    .limit(BATCH);
  return rows.map((row) => ({ ...row, kind: "approval_expiring", chainId: row.chainId as ChainId }));
}

async function failing(now: Date): Promise<Noticed[]> {
  const since = new Date(now.getTime() - FAILING_MINUTES * 60_000).toISOString();
  // A webhook that recovers and fails again is announced again.
  const subject = sql<string>`${webhooks.id} || '/' || extract(epoch from ${webhooks.failingSince})::bigint`;
  const rows = await db()
    .select({ subject, rootId: webhooks.rootId, chainId: webhooks.chainId })
    .from(webhooks)
    .where(
      sql`${webhooks.failingSince} is not null and ${webhooks.enabled} and ${webhooks.deletedAt} is null
        and ${webhooks.failingSince} <= ${since}::timestamptz and ${webhooks.failures} >= ${FAILURES}::int
        and ${unnoticed("webhook_failing", subject)}`,
    )
    .orderBy(webhooks.failingSince)
    .limit(BATCH);
  return rows.map((row) => ({ ...row, kind: "webhook_failing", chainId: row.chainId as ChainId }));
}

const unnoticed = (kind: NotificationKind, subject: ReturnType<typeof sql>) => sql`not exists (
  select 1 from ${noticedThings} n where n.kind = ${kind} and n.subject = ${subject})`;
