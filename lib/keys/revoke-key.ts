import { and, eq, isNull } from "drizzle-orm";
import { db } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import { actorOf, appendAudit } from "@/lib/audit/append";
import type { SessionContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { announceRevoked } from "./announce-revoked";

/**
 * Ends a key of the account or of one of its agents, from the next request on every server, and deletes what it
 * wrapped. Repeatable.
 *
 * @throws ApiError `not_found` for an unknown key, another account's, or one of the other network
 */
export async function revokeKey(
  ctx: SessionContext,
  id: string,
  now = new Date(),
): Promise<{ id: string; revokedAt: Date }> {
  const { account, chainId } = ctx;
  const mine = and(eq(apiKeys.id, id), eq(apiKeys.accountId, account.rootId), eq(apiKeys.chainId, chainId));
  return db().transaction(async (tx) => {
    const [revoked] = await tx
      .update(apiKeys)
      .set({ revokedAt: now, wrap: null, flagWrap: null })
      .where(and(mine, isNull(apiKeys.revokedAt)))
      .returning({ id: apiKeys.id });
    if (!revoked) {
      const [before] = await tx.select({ revokedAt: apiKeys.revokedAt }).from(apiKeys).where(mine);
      if (before?.revokedAt) return { id, revokedAt: before.revokedAt };
      throw new ApiError("not_found", "You have no API key with this id on this network.");
    }
    await announceRevoked(tx, chainId, [id], now);
    await appendAudit(
      tx,
      { rootId: account.rootId, chainId, actor: actorOf(ctx), action: "key.revoked", target: id },
      now,
    );
    return { id, revokedAt: now };
  });
}
