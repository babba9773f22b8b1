import { z } from "zod";
import type { DecidedView } from "@/lib/agents/record-owner-decision";
import { assetByAddress } from "@/lib/base/assets";
import { isoTime } from "@/lib/base/clock";
import type { ChainId } from "@/lib/base/network";
import { handleField, hexField, idField, PAGE_FIELDS, timeField, timeOrNull } from "@/lib/base/response-fields";
import { ACTOR_TYPES } from "@/lib/events/audit/schema";
import { PAYMENT_REQUEST_FIELD, REFERENCE_FIELD, REFUND_OF_FIELD } from "@/lib/payments/details/detail-fields";
import type { StoredHeld } from "./find-held";
import type { OwnHeld } from "./get-own-held";
import type { HeldView } from "./hold";
import type { DecidedPage } from "./list-decided";
import type { PendingPage } from "./list-pending";

const HELD_FIELDS = {
  transaction_id: idField("transaction", "Identifies the payment that needs approval."),
  status: z.enum(["pending_approval", "approved", "rejected", "expired"]).meta({
    description: "`pending_approval`: awaiting your decision. `expired`: nobody decided before `expires_at`.",
  }),
  agent: handleField("Handle of the agent, or of your own account when the payment is above the limits of its keys."),
  to: z.string().meta({ description: "The recipient, as the agent wrote it." }),
};
const KIND_FIELD = {
  confidential: z.boolean().optional().meta({
    description: "Whether the amount would be encrypted on chain. `false`: anyone could see the payment.",
  }),
};
const WINDOW_FIELDS = {
  requested_at: timeField("When the agent requested the payment."),
  expires_at: timeField("When the approval window ends."),
};
const SAID_FIELDS = {
  reference: REFERENCE_FIELD,
  refund_of: REFUND_OF_FIELD,
  payment_request: PAYMENT_REQUEST_FIELD,
};
const TRANSFER_FIELDS = {
  transfer_id: idField("transfer", "The transfer that pays it, once approved.").optional(),
  tx_hash: hexField(32, "Hash of that transfer's transaction on chain, once approved.").optional(),
};

/** A held payment's encrypted content, and what it is bound to. */
const EncryptedHeld = z
  .object({
    asset: z.string().meta({ description: "Symbol of the asset.", examples: ["USDG"] }),
    confidential: z.boolean().meta({ description: "Whether the amount would be encrypted on chain." }),
    recipient: hexField(20, "The address that the recipient had when the agent asked."),
    seller: hexField(
      20,
      "Of a payment to an `exact` seller its address: `recipient` is then a one-time address.",
    ).optional(),
    ciphertext: z.templateLiteral(["0x", z.string()]).meta({
      description: "Encrypted for the owner's held key: amount and memo. `0x` once the payment was made.",
      wire: { type: "string", pattern: "^0x([0-9a-f]{2})*$" },
    }),
    secret_version: z.number().meta({
      description: "Version of the account secret that it is encrypted under.",
      wire: { type: "integer", minimum: 1 },
    }),
  })
  .meta({
    id: "EncryptedHeldPayment",
    description: "The encrypted text of a payment awaiting approval. Only the owner's client can decrypt it.",
  });
const ENCRYPTED_FIELD = {
  encrypted: EncryptedHeld.optional().meta({ description: "Its encrypted text; only with `include=encrypted`." }),
};

/** A held payment. Never contains an amount, which only the owner's client can decrypt. */
export const HeldResource = z
  .object({ ...HELD_FIELDS, ...KIND_FIELD, ...WINDOW_FIELDS, ...SAID_FIELDS, ...ENCRYPTED_FIELD })
  .meta({
    id: "HeldPayment",
    description: "A payment above the approval threshold of its policy. It awaits the owner's decision.",
  });

export const HeldDetails = HeldResource.extend({
  decided_at: timeOrNull("When the owner decided."),
  decided_by: z
    .object({
      type: z.enum(ACTOR_TYPES).meta({ description: "As in the audit log; `system` closed it." }),
      id: z.string().nullable().meta({ description: "Id of the API key or session; null for the service." }),
      label: z.string().optional().meta({ description: "The key's label, or the handle of the key's agent." }),
    })
    .nullable()
    .optional()
    .meta({ description: "Who decided; null while it waits. Only with `include=encrypted`." }),
  ...TRANSFER_FIELDS,
}).meta({ id: "HeldPaymentDetails", description: "A payment that needed approval, with its state." });

export const PendingList = z
  .object({ pending: z.array(HeldResource).meta({ description: "The payments of this page." }), ...PAGE_FIELDS })
  .meta({ id: "PendingList", description: "Payments awaiting approval." });

export const DecidedResource = z
  .object({
    ...HELD_FIELDS,
    ...KIND_FIELD,
    status: z.enum(["approved", "rejected"]).meta({ description: "The decision." }),
    ...TRANSFER_FIELDS,
    decided_at: timeField("When the owner decided."),
  })
  .meta({ id: "DecidedPayment", description: "A payment that its owner has approved or rejected." });

/** Serializes a held payment. */
export function toHeldResource(view: HeldView) {
  const { id, status, agentHandle, to, kind, requestedAt, expiresAt, reference, refundOf, paymentRequestId } = view;
  return {
    transaction_id: id,
    status,
    agent: `@${agentHandle}`,
    to,
    confidential: kind === "transfer",
    requested_at: isoTime(requestedAt),
    expires_at: isoTime(expiresAt),
    reference,
    refund_of: refundOf,
    payment_request: paymentRequestId,
  };
}

/** Serializes an entry of the list of waiting payments. */
function toPendingEntry({ row, agentHandle }: StoredHeld) {
  return toHeldResource({ ...row, agentHandle });
}

/** Serializes a page of waiting payments, with their encrypted texts if they were requested. */
export function toPendingList({ include, ...page }: PendingPage & { include?: "encrypted" }) {
  if (include === "encrypted") return toEncryptedPendingList(page);
  const { list, limit, offset, hasMore } = page;
  return { pending: list.map(toPendingEntry), limit, offset, has_more: hasMore };
}

/** Serializes a page of waiting payments with their encrypted texts. */
export function toEncryptedPendingList({ list, limit, offset, hasMore }: PendingPage) {
  const entry = (held: StoredHeld) => ({ ...toPendingEntry(held), encrypted: toEncrypted(held) });
  return { pending: list.map(entry), limit, offset, has_more: hasMore };
}

/**
 * Serializes a payment that needed approval, with its state. It is expired once its window has passed, even if it is
 * not closed yet.
 */
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

/** Serializes a held payment, with its encrypted text and who decided if these were read. */
export function toFoundHeld(found: Pick<OwnHeld, "held"> & Partial<OwnHeld>) {
  const { held, decidedBy } = found;
  return decidedBy === undefined ? toHeldDetails(held) : toEncryptedHeld({ held, decidedBy });
}

/** Serializes a held payment with its encrypted text and who decided. */
export function toEncryptedHeld({ held, decidedBy }: OwnHeld) {
  return { ...toHeldDetails(held), decided_by: decidedBy, encrypted: toEncrypted(held) };
}

/** Returns what the owner's client needs to decrypt a held payment and build it. */
function toEncrypted({ row }: StoredHeld) {
  return {
    asset: assetByAddress(row.chainId as ChainId, row.asset)?.symbol ?? row.asset,
    confidential: row.kind === "transfer",
    recipient: row.recipientAddress,
    ...(row.seller !== null && { seller: row.seller }),
    ciphertext: row.encrypted,
    secret_version: row.secretVersion,
  };
}

/** Serializes the result of approve and reject. */
export function toDecidedResource({ id, agentHandle, to, kind, decided, decidedAt }: DecidedView) {
  return {
    transaction_id: id,
    status: decided.status,
    agent: `@${agentHandle}`,
    to,
    confidential: kind === "transfer",
    ...(decided.status === "approved" ? { transfer_id: decided.transfer.id, tx_hash: decided.transfer.txHash } : {}),
    decided_at: isoTime(decidedAt),
  };
}

/** Serializes a page of decided payments with their encrypted texts. */
export function toDecidedList({ list, limit, offset, hasMore }: DecidedPage) {
  return {
    transactions: list.map(toEncryptedHeld),
    limit,
    offset,
    has_more: hasMore,
  };
}
