import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { noticedThings } from "@/db/schema/notifications";
import { webhooks } from "@/db/schema/webhooks";
import { env } from "@/lib/env";
import type { NotificationKind } from "@/lib/events/notification-kinds";
import { notifyOwner } from "@/lib/events/notify-owner";
import type { ChainId } from "@/lib/network";

/** How long a webhook fails before its owner hears of it: most are back before. */
export const FAILING_MINUTES = 15;
/** How often it has failed in a row by then. */
const FAILURES = 3;
const LONGEST_REMINDER_MS = 2 * 3_600_000;
const BATCH = 200;
const PAUSE_MS = 20_000;

/** How long before the end of its window a payment is reminded of: two hours, of a short window a quarter. */
export const reminderMs = (): number => Math.min(LONGEST_REMINDER_MS, (env().approvalWindowSeconds * 1_000) / 4);

interface Noticed {
  kind: NotificationKind;
  subject: string;
  rootId: string;
  chainId: ChainId;
}

/**
 * Notifies owners of what the clock alone makes worth it, once each: payments that are about to expire, webhooks that keep
 * failing. Any number of workers may do so at once.
 *
 * @returns after how many milliseconds to look again
 */
export async function notice(now = new Date()): Promise<number> {
  const found = [...(await expiring(now)), ...(await failing(now))];
  for (const one of found) await noticeOnce(one, now);
  return found.length >= BATCH ? 0 : PAUSE_MS;
}

/** A thing of its own in a transaction of its own: none waits for another's owner. */
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
  // One that is back and fails again is another matter.
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
