import { z } from "zod";
import { handleField, hexField, idField, PAGE_FIELDS, timeField, timeOrNull } from "@/lib/answer-fields";
import { assetByAddress } from "@/lib/assets";
import { isoTime } from "@/lib/clock";
import type { ChainId } from "@/lib/network";
import type { StoredHeld } from "./find-held";
import type { OwnHeld } from "./get-own-held";
import type { HeldView } from "./hold";
import type { DecidedPage } from "./list-decided";
import type { PendingPage } from "./list-pending";
import type { DecidedView } from "./record-decision";

const HELD_FIELDS = {
  transaction_id: idField("transaction", "Identifies the payment that needs approval."),
  status: z.enum(["pending_approval", "approved", "rejected", "expired"]),
  agent: handleField("Handle of the agent."),
  to: z.string().meta({ description: "The recipient, as the agent wrote it." }),
};
const WINDOW_FIELDS = {
  requested_at: timeField("When the agent asked."),
  expires_at: timeField("When the approval window ends."),
};
const TRANSFER_FIELDS = {
  transfer_id: idField("transfer", "The transfer that was made of it; once approved.").optional(),
  tx_hash: hexField(32, "That transfer's transaction on chain; once approved.").optional(),
};

/** A held payment. Never an amount: only the owner's client can open it. */
export const HeldResource = z.object({ ...HELD_FIELDS, ...WINDOW_FIELDS }).meta({
  id: "HeldPayment",
  description: "An agent's payment above its approval threshold. It awaits the owner's decision.",
});

export const HeldDetails = HeldResource.extend({
  decided_at: timeOrNull("When its owner decided."),
  ...TRANSFER_FIELDS,
}).meta({ id: "HeldPaymentDetails", description: "A payment that needed approval, with its state." });

export const PendingList = z
  .object({ pending: z.array(HeldResource), ...PAGE_FIELDS })
  .meta({ id: "PendingList", description: "Payments awaiting approval." });

export const DecidedResource = z
  .object({
    ...HELD_FIELDS,
    status: z.enum(["approved", "rejected"]),
    ...TRANSFER_FIELDS,
    decided_at: timeField("When its owner decided."),
  })
  .meta({ id: "DecidedPayment", description: "A payment that its owner has approved or rejected." });

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
function toPendingEntry({ row, agentHandle }: StoredHeld) {
  return toHeldResource({ ...row, agentHandle });
}

/** A page of those that wait. */
export function toPendingList({ list, limit, offset, hasMore }: PendingPage) {
  return { pending: list.map(toPendingEntry), limit, offset, has_more: hasMore };
}

/** The same as the owner's client sees it. */
export function toOwnerPendingList({ list, limit, offset, hasMore }: PendingPage) {
  return { pending: list.map(toOwnerPendingEntry), limit, offset, has_more: hasMore };
}

/** A payment that needed approval, with its state. Whose window has passed is expired, closed or not. */
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
export function toOwnerHeldDetails({ held, decidedBy }: OwnHeld) {
  return { ...toHeldDetails(held), ...toSealed(held), decided_by: decidedBy };
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

/** A page of held payments that no longer wait, as the owner's client sees it. */
export function toDecidedList({ list, limit, offset, hasMore }: DecidedPage) {
  return {
    transactions: list.map(toOwnerHeldDetails),
    limit,
    offset,
    has_more: hasMore,
  };
}
