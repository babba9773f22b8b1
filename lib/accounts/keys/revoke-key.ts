import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { actorOf } from "@/lib/events/audit/append";
import { endKey } from "./end-key";

/**
 * Revokes a key of the account or of one of its agents, with effect from the next request on every server, and deletes
 * its encrypted secrets. Safe to repeat.
 *
 * @throws ApiError `not_found` if the id is unknown, another account's, or of the other network
 */
export async function revokeKey(
  ctx: SessionContext,
  id: string,
  now = new Date(),
): Promise<{ id: string; revokedAt: Date }> {
  const { account, chainId } = ctx;
  return db().transaction(async (tx) => {
    if (await endKey(tx, { id, rootId: account.rootId, chainId }, actorOf(ctx), now)) return { id, revokedAt: now };
    const [before] = await tx
      .select({ revokedAt: apiKeys.revokedAt })
      .from(apiKeys)
      .where(and(eq(apiKeys.id, id), eq(apiKeys.accountId, account.rootId), eq(apiKeys.chainId, chainId)));
    if (before?.revokedAt) return { id, revokedAt: before.revokedAt };
    throw new ApiError("not_found", "You have no API key with this id on this network.");
  });
}
