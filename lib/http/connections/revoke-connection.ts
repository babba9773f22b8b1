import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { connections } from "@/db/schema/connections";
import { apiKeys } from "@/db/schema/keys";
import { endKey } from "@/lib/accounts/keys/end-key";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { actorOf } from "@/lib/events/audit/append";

/**
 * Disconnects an application, with effect from the next request on every server. Ends its access token, and its code if
 * that has not been exchanged. Safe to repeat.
 *
 * @throws ApiError `not_found` if the id is unknown, another account's, or of the other network
 */
export async function revokeConnection(
  ctx: SessionContext,
  id: string,
  now = new Date(),
): Promise<{ id: string; revokedAt: Date }> {
  const { account, chainId } = ctx;
  return db().transaction(async (tx) => {
    const [found] = await tx
      .update(connections)
      .set({ encryptedToken: null })
      .where(and(eq(connections.id, id), eq(connections.accountId, account.rootId), eq(connections.chainId, chainId)))
      .returning({ keyId: connections.keyId });
    if (!found) throw new ApiError("not_found", "You have no connection with this id on this network.");
    const { keyId } = found;
    if (await endKey(tx, { id: keyId, rootId: account.rootId, chainId }, actorOf(ctx), now))
      return { id, revokedAt: now };
    const [before] = await tx.select({ revokedAt: apiKeys.revokedAt }).from(apiKeys).where(eq(apiKeys.id, keyId));
    return { id, revokedAt: before?.revokedAt ?? now };
  });
}
