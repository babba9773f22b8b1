import { and, eq, inArray } from "drizzle-orm";
import { db } from "@/db/client";
import { notificationEmails } from "@/db/schema/notifications";
import { isId } from "@/lib/base/ids";
import type { ChainId } from "@/lib/base/network";
import { appendAudit, SYSTEM } from "@/lib/events/audit/append";
import { idOfToken, isToken } from "./email-secrets";

/**
 * Stops the messages to an address, given the token that each of them carries (RFC 8058). The token can do nothing
 * else, and turning messages back on takes a new confirmation. Safe to repeat.
 *
 * @returns whether the token is valid; false once the address is removed
 */
export async function unsubscribe(token: string, now = new Date()): Promise<boolean> {
  const id = idOfToken(token);
  if (!isId("emailAddress", id)) return false;
  const [row] = await db()
    .select({ hash: notificationEmails.unsubscribeHash })
    .from(notificationEmails)
    .where(eq(notificationEmails.id, id));
  if (!row || !isToken(token, row.hash)) return false;
  await endEmails(id, { state: "unsubscribed", reason: null }, now);
  return true;
}

/**
 * Records that the recipient's server has refused an address permanently.
 *
 * @param status SMTP status, such as 550
 */
export const noteBounce = (id: string, status: number, now: Date): Promise<void> =>
  endEmails(id, { state: "bounced", reason: String(status) }, now);

async function endEmails(
  id: string,
  { state, reason }: { state: "bounced" | "unsubscribed"; reason: string | null },
  now: Date,
): Promise<void> {
  await db().transaction(async (tx) => {
    const [row] = await tx
      .update(notificationEmails)
      .set({ state, reason, confirmHash: null, confirmUntil: null, changedAt: now })
      .where(and(eq(notificationEmails.id, id), inArray(notificationEmails.state, ["pending", "confirmed"])))
      .returning({ rootId: notificationEmails.rootId, chainId: notificationEmails.chainId });
    if (!row) return;
    const entry = { rootId: row.rootId, chainId: row.chainId as ChainId, actor: SYSTEM, target: id };
    await appendAudit(tx, { ...entry, action: `notifications.email_${state}`, after: { state, reason } }, now);
  });
}
