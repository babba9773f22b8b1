import { and, eq, isNull } from "drizzle-orm";
import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { appendAudit } from "@/lib/audit/append";
import { CHAIN_ID } from "@/lib/network";

/** What happened to a wallet's session, by which session. */
interface SessionChange {
  address: Address;
  actor: { sessionId: string; clientAddress: string | null };
  action: "session.created" | "session.revoked";
  /** Id of the session it happened to. */
  target: string;
}

/**
 * Writes it into the audit log of the wallet's account, if it has one: on both networks, where a session acts alike.
 */
export async function auditSession(tx: Tx, change: SessionChange, now: Date): Promise<void> {
  const { address, actor, action, target } = change;
  const [account] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.address, address), isNull(accounts.ownerId)));
  if (!account) return;
  const by = { actorType: "session", actorId: actor.sessionId, clientAddress: actor.clientAddress } as const;
  // In one order everywhere, so that two of them never wait for each other.
  for (const chainId of [CHAIN_ID.live, CHAIN_ID.test]) {
    await appendAudit(tx, { rootId: account.id, chainId, actor: by, action, target }, now);
  }
}
