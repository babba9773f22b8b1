import { assetByAddress } from "@/lib/assets";
import { isoTime } from "@/lib/clock";
import type { ChainId } from "@/lib/network";
import type { StoredHeld } from "./find-held";
import type { HeldView } from "./hold";
import type { DecidedView } from "./record-decision";

/** Serialises a held payment. */
export function toHeldResource({ id, status, agentHandle, to, requestedAt, expiresAt }: HeldView) {
  return {
    transaction_id: id,
    status,
    agent: `@${agentHandle}`,
    to,
    requested_at: isoTime(requestedAt),
    expires_at: isoTime(expiresAt),
  };
}

/** An entry of the list of those that wait. */
export function toPendingEntry({ row, agentHandle }: StoredHeld) {
  return toHeldResource({ ...row, agentHandle });
}

/** A held payment with what became of it. Whose window has passed is expired, closed or not. */
export function toHeldDetails(held: StoredHeld) {
  const { status, expiresAt, decidedAt, transferId } = held.row;
  const isOver = status === "pending_approval" && expiresAt.getTime() <= Date.now();
  return {
    ...toPendingEntry(held),
    status: isOver ? ("expired" as const) : status,
    decided_at: decidedAt && isoTime(decidedAt),
    ...(transferId && held.txHash ? { transfer_id: transferId, tx_hash: held.txHash } : {}),
  };
}

/** What the owner's client needs to open a held payment and to build it. */
function toSealed({ row }: StoredHeld) {
  return {
    asset: assetByAddress(row.chainId as ChainId, row.asset)?.symbol ?? row.asset,
    confidential: row.kind === "transfer",
    recipient: row.recipientAddress,
    sealed: row.sealed,
    secret_version: row.secretVersion,
  };
}

/** An entry of the list as the owner's client sees it. */
export function toOwnerPendingEntry(held: StoredHeld) {
  return { ...toPendingEntry(held), ...toSealed(held) };
}

/** A held payment as the owner's client sees it. */
export function toOwnerHeldDetails(held: StoredHeld) {
  return { ...toHeldDetails(held), ...toSealed(held) };
}

/** What approve and reject answer. */
export function toDecidedResource({ id, agentHandle, to, decided, decidedAt }: DecidedView) {
  return {
    transaction_id: id,
    status: decided.status,
    agent: `@${agentHandle}`,
    to,
    ...(decided.status === "approved" ? { transfer_id: decided.transfer.id, tx_hash: decided.transfer.txHash } : {}),
    decided_at: isoTime(decidedAt),
  };
}
