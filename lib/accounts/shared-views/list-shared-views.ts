import { and, desc, eq, gt } from "drizzle-orm";
import { db } from "@/db/client";
import { sharedViews } from "@/db/schema/shared-views";
import type { SessionContext } from "@/lib/base/context/context";
import type { SharedViewRow } from "./shared-view-resource";

/** Returns the account's unexpired views on the network, newest first, without their ciphertexts. */
export async function listSharedViews(
  { account, chainId }: SessionContext,
  now = new Date(),
): Promise<SharedViewRow[]> {
  const { id, accountId, label, createdAt, expiresAt, openedAt } = sharedViews;
  return db()
    .select({ id, accountId, chainId: sharedViews.chainId, label, createdAt, expiresAt, openedAt })
    .from(sharedViews)
    .where(and(eq(accountId, account.id), eq(sharedViews.chainId, chainId), gt(expiresAt, now)))
    .orderBy(desc(createdAt), desc(id));
}
