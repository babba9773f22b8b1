import { and, eq, isNull } from "drizzle-orm";
import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { CHAIN_ID } from "@/lib/base/network";
import { appendAudit } from "@/lib/events/audit/append";

/** A change of a wallet's session, and the session that made it. */
interface SessionChange {
  address: Address;
  actor: { sessionId: string; clientAddress: string | null };
  action: "session.created" | "session.revoked";
  /** Id of the session that was changed. */
  target: string;
}

/**
 * Writes a session's change into the audit log of the wallet's account, if there is one. It is written on both
 * networks, because a session is valid on both.
 */
export async function auditSession(tx: Tx, change: SessionChange, now: Date): Promise<void> {
  const { address, actor, action, target } = change;
  const [account] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.address, address), isNull(accounts.ownerId)));
  if (!account) return;
  const by = { actorType: "session", actorId: actor.sessionId, clientAddress: actor.clientAddress } as const;
  // Always in the same order, so that two of these can't deadlock.
  for (const chainId of [CHAIN_ID.live, CHAIN_ID.test]) {
    await appendAudit(tx, { rootId: account.id, chainId, actor: by, action, target }, now);
  }
}
