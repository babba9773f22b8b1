import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { ChainId } from "@/lib/base/network";
import { NOTIFY } from "@/lib/base/scheduler/catalogue";
import { scheduleJob } from "@/lib/base/scheduler/schedule-job";
import type { NotificationKind } from "./notification-kinds";

/**
 * Schedules notifications to an owner on every channel set up for this kind, in the transaction of the change
 * (transactional outbox). Several changes before a message is sent share that message: it only says that there is
 * something, never what.
 */
export async function notifyOwner(
  tx: Tx,
  { rootId, chainId }: { rootId: string; chainId: ChainId },
  kind: NotificationKind,
  now: Date,
): Promise<void> {
  const targets = await tx.execute<{ id: string }>(sql`
    select t.id from (
      select e.id, s.email_kinds as kinds
      from notification_emails e
      left join notification_settings s on s.root_id = e.root_id and s.chain_id = e.chain_id
      where e.root_id = ${rootId} and e.chain_id = ${chainId} and e.state = 'confirmed'
      union all
      select d.id, s.push_kinds
      from push_devices d
      left join notification_settings s on s.root_id = d.root_id and s.chain_id = d.chain_id
      where d.root_id = ${rootId} and d.chain_id = ${chainId}
    ) t
    where t.kinds is null or ${kind} = any(t.kinds)
    order by t.id`);
  // Identifies the change. A worker that repeats the job recognizes by it what it has already sent.
  const cause = crypto.randomUUID();
  for (const { id: target } of targets) await scheduleNotification(tx, { target, kind, chainId, cause }, now);
}

interface Notification {
  /** The id of an email address or device, or `operator`. */
  target: string;
  kind: string;
  chainId: ChainId;
  cause: string;
}

/** Schedules one message, to be sent after the transaction commits. */
export async function scheduleNotification(tx: Tx, notification: Notification, now: Date): Promise<void> {
  const { target, kind, chainId } = notification;
  const input = { ...notification, since: now.toISOString() };
  await scheduleJob(tx, NOTIFY, { key: `${target}/${kind}/${chainId}`, input, at: now });
}
