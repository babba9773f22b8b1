import { and, eq, isNull } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import type { ChainId } from "@/lib/base/network";
import { announceRevoked } from "./announce-revoked";
import { NO_WRAPS } from "./no-wraps";

/**
 * Revokes all keys of agents that end in this transaction, and deletes their encrypted secrets. An agent that later
 * gets a new signing key also needs new API keys, because an old one may be the reason it was ended.
 *
 * @returns the ids of the revoked keys
 */
export async function revokeAgentKeys(
  tx: Tx,
  chainId: ChainId,
  agentIds: readonly string[],
  now: Date,
): Promise<string[]> {
  if (agentIds.length === 0) return [];
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: now, ...NO_WRAPS })
    .where(and(anyOf(apiKeys.agentId, agentIds), eq(apiKeys.chainId, chainId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  const ids = revoked.map(({ id }) => id).sort();
  await announceRevoked(tx, chainId, ids, now);
  return ids;
}
