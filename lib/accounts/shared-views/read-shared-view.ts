import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { sharedViews } from "@/db/schema/shared-views";
import { ApiError } from "@/lib/base/errors";
import { isId } from "@/lib/base/ids";
import { KeptBytes } from "@/lib/base/kept-bytes";
import { type EncryptedSharedView, toEncryptedSharedView } from "./shared-view-resource";

/** So much JSON of views is kept: of the largest, seventeen. A view never changes, and its key is not here. */
const kept = new KeptBytes(32 * 1024 * 1024);

/**
 * Returns the ciphertext of a view and what it is bound to, as JSON, for someone with its link, and records the first
 * time this happens. Deleting a view that was never opened takes back everything.
 *
 * Anyone may ask for up to two megabytes, and this process serves everyone with one thread. So only the row is read
 * each time, and all readers share the JSON.
 *
 * @throws ApiError `not_found` if it is unknown, deleted or expired; the responses do not differ
 */
export async function readSharedView(id: string, now = new Date()): Promise<Buffer> {
  const [row] = isId("view", id)
    ? await db()
        .select({ openedAt: sharedViews.openedAt })
        .from(sharedViews)
        .where(and(eq(sharedViews.id, id), gt(sharedViews.expiresAt, now)))
    : [];
  const json = row && (await kept.get(id, () => jsonOf(id)));
  if (!json)
    throw new ApiError("not_found", "There is no such view. It has expired or was deleted, or its link is not whole.");
  if (row.openedAt === null) {
    const first = and(eq(sharedViews.id, id), isNull(sharedViews.openedAt));
    await db().update(sharedViews).set({ openedAt: now }).where(first);
  }
  return json;
}

async function jsonOf(id: string): Promise<Buffer | undefined> {
  const [row] = await db()
    .select({
      id: sharedViews.id,
      chainId: sharedViews.chainId,
      expiresAt: sharedViews.expiresAt,
      // The database makes the base64.
      encrypted: sql<string>`translate(encode(${sharedViews.encrypted}, 'base64'), E'\\n', '')`,
    })
    .from(sharedViews)
    .where(eq(sharedViews.id, id));
  if (!row) return undefined;
  const chainId = row.chainId as EncryptedSharedView["chainId"];
  return Buffer.from(JSON.stringify(toEncryptedSharedView({ ...row, chainId })));
}
