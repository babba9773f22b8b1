import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { disclosures } from "@/db/schema/disclosures";
import { ApiError } from "@/lib/base/errors";
import { isId } from "@/lib/base/ids";
import type { SharedDisclosure } from "./disclosure-resource";

/** The database makes base64 of up to a megabyte: anyone may ask, and this process serves everyone with one thread. */
const SHARED = {
  id: disclosures.id,
  chainId: disclosures.chainId,
  expiresAt: disclosures.expiresAt,
  sealed: sql<string>`translate(encode(${disclosures.sealed}, 'base64'), E'\\n', '')`,
};

/**
 * Returns the ciphertext of a view for someone with its link, and records the first time this happens. Deleting a view
 * that was never opened takes back everything.
 *
 * @throws ApiError `not_found` if it is unknown, deleted or expired; the responses do not differ
 */
export async function readDisclosure(id: string, now = new Date()): Promise<SharedDisclosure> {
  const [row] = isId("view", id)
    ? await db()
        .select({ ...SHARED, openedAt: disclosures.openedAt })
        .from(disclosures)
        .where(and(eq(disclosures.id, id), gt(disclosures.expiresAt, now)))
    : [];
  if (!row)
    throw new ApiError("not_found", "There is no such view. It has expired or was deleted, or its link is not whole.");
  if (row.openedAt === null) {
    const first = and(eq(disclosures.id, id), isNull(disclosures.openedAt));
    await db().update(disclosures).set({ openedAt: now }).where(first);
  }
  return { ...row, chainId: row.chainId as SharedDisclosure["chainId"] };
}
