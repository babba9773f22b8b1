import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { sharedViews } from "@/db/schema/shared-views";
import { isoTime } from "@/lib/base/clock";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { actorOf, appendAudit } from "@/lib/events/audit/append";

/**
 * Deletes a view, so that its link stops working. Someone who has opened it may have kept what it showed.
 *
 * @throws ApiError `not_found` if the id is unknown, another account's, or of the other network
 */
export async function deleteSharedView(ctx: SessionContext, id: string, now = new Date()): Promise<void> {
  const { account, chainId } = ctx;
  const { label, expiresAt, openedAt } = sharedViews;
  await db().transaction(async (tx) => {
    const [row] = await tx
      .delete(sharedViews)
      .where(and(eq(sharedViews.id, id), eq(sharedViews.accountId, account.id), eq(sharedViews.chainId, chainId)))
      .returning({ label, expiresAt, openedAt });
    if (!row) throw new ApiError("not_found", "You have no view with this id on this network.");
    const entry = { rootId: account.id, chainId, actor: actorOf(ctx), action: "sharedView.deleted", target: id };
    const before = { label: row.label, expires_at: isoTime(row.expiresAt), opened: row.openedAt !== null };
    await appendAudit(tx, { ...entry, before }, now);
  });
}
