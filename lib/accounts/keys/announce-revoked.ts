import { eq, sql } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { apiKeys } from "@/db/schema/keys";
import type { ChainId } from "@/lib/base/network";
import { appendEvents } from "@/lib/events/append-events";

/**
 * Writes the events of keys that are revoked in this transaction, each for the account or agent that the key belonged
 * to.
 */
export async function announceRevoked(tx: Tx, chainId: ChainId, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const { id, handle, ownerId } = accounts;
  const rows = await tx
    .select({ keyId: apiKeys.id, id, handle, ownerId })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, sql`coalesce(${apiKeys.agentId}, ${apiKeys.accountId})`))
    .where(anyOf(apiKeys.id, ids))
    .orderBy(apiKeys.id);
  const events = rows.map(({ keyId, id, handle, ownerId }) => {
    const subject = { id, handle, rootId: ownerId ?? id };
    return { chainId, type: "key.revoked", subject, payload: { key_id: keyId } } as const;
  });
  await appendEvents(tx, events, now);
}
