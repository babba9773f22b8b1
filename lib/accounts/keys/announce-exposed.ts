import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { apiKeys } from "@/db/schema/keys";
import { scopeOf } from "@/lib/chain/scope-of";
import { appendEvents } from "@/lib/events/append-events";
import { appendAudit, SYSTEM } from "@/lib/events/audit/append";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { parseHomeKey, requestKeyOf } from "@/lib/ledger/encrypted/home-key";

/**
 * Notifies the owner of a blind key that its home key was sent to the service, once for each key. The key is found by the
 * public half of its request key, so that no home key is stored to compare with. Does nothing for an unknown or revoked
 * one.
 *
 * @param homeKey well-formed
 */
export async function announceExposed(homeKey: string, now = new Date()): Promise<void> {
  const { chainId } = parseHomeKey(homeKey);
  const requestKey = toHex(requestKeyOf(homeKey, await scopeOf(chainId)).publicKey);
  await db().transaction(async (tx) => {
    const { agentId, accountId } = apiKeys;
    const [key] = await tx
      .update(apiKeys)
      .set({ exposedAt: now })
      .where(and(eq(apiKeys.requestKey, requestKey), isNull(apiKeys.exposedAt), isNull(apiKeys.revokedAt)))
      .returning({ id: apiKeys.id, rootId: accountId, holderId: sql<string>`coalesce(${agentId}, ${accountId})` });
    if (!key) return;
    const [holder] = await tx.select({ handle: accounts.handle }).from(accounts).where(eq(accounts.id, key.holderId));
    if (!holder) return;
    const { id: target, rootId } = key;
    const subject = { id: key.holderId, handle: holder.handle, rootId };
    await appendEvents(tx, [{ chainId, type: "key.exposed", subject, payload: { key_id: target } }], now);
    await appendAudit(tx, { rootId, chainId, actor: SYSTEM, action: "key.exposed", target }, now);
  });
}
