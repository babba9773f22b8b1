import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import type { ChainId } from "@/lib/base/network";
import { type AuditActor, appendAudit } from "@/lib/events/audit/append";
import { announceRevoked } from "./announce-revoked";
import { NO_WRAPS } from "./no-wraps";

/** A key that has not been revoked, and the account it belongs to. */
interface KeyOfAccount {
  id: string;
  /** The owner's account. */
  rootId: string;
  chainId: ChainId;
}

/**
 * Revokes a key in the caller's transaction: deletes its encrypted secrets, and writes event and audit entry.
 *
 * @returns false if there is no such key, or it was revoked before
 */
export async function endKey(
  tx: Tx,
  { id, rootId, chainId }: KeyOfAccount,
  actor: AuditActor,
  now: Date,
): Promise<boolean> {
  const [ended] = await tx
    .update(apiKeys)
    .set({ revokedAt: now, ...NO_WRAPS })
    .where(
      and(eq(apiKeys.id, id), eq(apiKeys.accountId, rootId), eq(apiKeys.chainId, chainId), isNull(apiKeys.revokedAt)),
    )
    .returning({ id: apiKeys.id });
  if (!ended) return false;
  await announceRevoked(tx, chainId, [id], now);
  await appendAudit(tx, { rootId, chainId, actor, action: "key.revoked", target: id }, now);
  return true;
}
