import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { notificationEmails } from "@/db/schema/notifications";
import type { SessionContext } from "@/lib/base/context/context";
import { actorOf, appendAudit } from "@/lib/events/audit/append";

/** Deletes the account's address on the network. Does nothing if there is none. */
export async function removeEmail(ctx: SessionContext, now = new Date()): Promise<void> {
  const { account, chainId } = ctx;
  const { rootId } = account;
  await db().transaction(async (tx) => {
    const [gone] = await tx
      .delete(notificationEmails)
      .where(and(eq(notificationEmails.rootId, rootId), eq(notificationEmails.chainId, chainId)))
      .returning({ id: notificationEmails.id, state: notificationEmails.state });
    if (!gone) return;
    const entry = { rootId, chainId, actor: actorOf(ctx), action: "notifications.email_removed", target: gone.id };
    await appendAudit(tx, { ...entry, before: { state: gone.state } }, now);
  });
}
