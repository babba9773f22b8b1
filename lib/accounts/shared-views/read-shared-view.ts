import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { sharedViews } from "@/db/schema/shared-views";
import { ApiError } from "@/lib/base/errors";
import { isId } from "@/lib/base/ids";
import type { EncryptedSharedView } from "./shared-view-resource";

/** The database makes base64 of up to a megabyte: anyone may ask, and this process serves everyone with one thread. */
const SHARED = {
  id: sharedViews.id,
  chainId: sharedViews.chainId,
  expiresAt: sharedViews.expiresAt,
  sealed: sql<string>`translate(encode(${sharedViews.sealed}, 'base64'), E'\\n', '')`,
};

/**
 * Returns the ciphertext of a view for someone with its link, and records the first time this happens. Deleting a view
 * that was never opened takes back everything.
 *
 * @throws ApiError `not_found` if it is unknown, deleted or expired; the responses do not differ
 */
export async function readSharedView(id: string, now = new Date()): Promise<EncryptedSharedView> {
  const [row] = isId("view", id)
    ? await db()
        .select({ ...SHARED, openedAt: sharedViews.openedAt })
        .from(sharedViews)
        .where(and(eq(sharedViews.id, id), gt(sharedViews.expiresAt, now)))
    : [];
  if (!row)
    throw new ApiError("not_found", "There is no such view. It has expired or was deleted, or its link is not whole.");
  if (row.openedAt === null) {
    const first = and(eq(sharedViews.id, id), isNull(sharedViews.openedAt));
    await db().update(sharedViews).set({ openedAt: now }).where(first);
  }
  return { ...row, chainId: row.chainId as EncryptedSharedView["chainId"] };
}
