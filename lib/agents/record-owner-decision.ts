import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { isoTime } from "@/lib/base/clock";
import type { ChainId } from "@/lib/base/network";
import { appendEvents } from "@/lib/events/append-events";
import { type AuditActor, appendAudit } from "@/lib/events/audit/append";

/** An owner's decision; for an approval, with the payment. */
type Decided = { status: "approved"; transfer: { id: string; txHash: Hex } } | { status: "rejected" };

/** A held payment as stored, with its agent's handle (without @). */
interface Held {
  row: typeof heldPayments.$inferSelect;
  agentHandle: string;
}

/** Who decides, on which chain. */
interface Decider {
  chainId: ChainId;
  actor: AuditActor;
}

/** A payment that its owner has approved or rejected. */
export interface DecidedView {
  id: string;
  /** Without @. */
  agentHandle: string;
  to: string;
  kind: "transfer" | "release";
  decided: Decided;
  decidedAt: Date;
}

/**
 * Records a decision with its event and audit entry. The transaction must have locked the held payment's row
 * (`lockUndecided`). Call it after every other lock is taken.
 */
export async function recordOwnerDecision(
  tx: Tx,
  { chainId, actor }: Decider,
  { row, agentHandle }: Held,
  decided: Decided,
): Promise<DecidedView> {
  const { id, agentId, rootId, to, kind, requestedAt, expiresAt } = row;
  const { status } = decided;
  const decidedAt = new Date();
  const transferId = status === "approved" ? decided.transfer.id : null;
  // An approved payment has its transfer. The encrypted text, with its seed, is deleted, because anyone who learns s
  // later could decrypt it.
  const forgotten = status === "approved" ? { encrypted: "0x" as const } : {};
  await tx
    .update(heldPayments)
    .set({ status, transferId, decidedAt, ...forgotten })
    .where(eq(heldPayments.id, id));
  const payload = {
    transaction_id: id,
    agent: `@${agentHandle}`,
    to,
    requested_at: isoTime(requestedAt),
    expires_at: isoTime(expiresAt),
    decided_at: isoTime(decidedAt),
  };
  const subject = { id: agentId, rootId, handle: agentHandle };
  await appendEvents(tx, [{ chainId, type: `agent.transaction.${status}`, subject, payload }], decidedAt);
  const entry = { rootId, chainId, actor, action: `agent.transaction.${status}`, target: id };
  await appendAudit(tx, transferId ? { ...entry, after: { transfer_id: transferId } } : entry, decidedAt);
  return { id, agentHandle, to, kind, decided, decidedAt };
}
