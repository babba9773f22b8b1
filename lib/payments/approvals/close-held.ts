import { inArray } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { isoTime } from "@/lib/base/clock";
import type { ChainId } from "@/lib/base/network";
import { appendEvents, type NewEvent } from "@/lib/events/append-events";
import { appendAudit, SYSTEM } from "@/lib/events/audit/append";
import type { StoredHeld } from "./find-held";

type Due = Omit<StoredHeld, "txHash">;

/**
 * Closes held payments, each with its event and audit entry. The transaction must have locked them and found them
 * undecided.
 */
export async function closeHeld(tx: Tx, due: readonly Due[], now: Date): Promise<void> {
  const ids = due.map(({ row }) => row.id);
  await tx.update(heldPayments).set({ status: "expired" }).where(inArray(heldPayments.id, ids));
  await appendEvents(tx, due.map(expiredEvent), now);
  // Workers lock the heads of the same audit chains, so always in the same order.
  const chainOf = ({ row }: Due) => `${row.rootId}/${row.chainId}`;
  for (const { row } of [...due].sort((a, b) => (chainOf(a) < chainOf(b) ? -1 : 1))) {
    const { rootId, chainId, id } = row;
    const action = "agent.transaction.expired";
    await appendAudit(tx, { rootId, chainId: chainId as ChainId, actor: SYSTEM, action, target: id }, now);
  }
}

function expiredEvent({ row, agentHandle }: Due): NewEvent {
  const { id, rootId, chainId, agentId, to, requestedAt, expiresAt } = row;
  const payload = {
    transaction_id: id,
    agent: `@${agentHandle}`,
    to,
    requested_at: isoTime(requestedAt),
    expires_at: isoTime(expiresAt),
  };
  const subject = { id: agentId, rootId, handle: agentHandle };
  return { chainId: chainId as ChainId, type: "agent.transaction.expired", subject, payload };
}
