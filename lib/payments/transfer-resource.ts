import type { Hex } from "viem";
import { z } from "zod";
import { assetByAddress } from "@/lib/base/assets";
import { isoTime } from "@/lib/base/clock";
import type { ChainId } from "@/lib/base/network";
import { handleField, hexField, idField, PAGE_FIELDS, timeField, timeOrNull } from "@/lib/base/response-fields";
import { DETAILS_FIELDS } from "./details/detail-fields";
import { ExactResource, toExactResource } from "./exact/exact-resource";
import type { ExactRow } from "./exact/record-exact";
import type { TransferDetails } from "./get-own-transfer";
import type { TransferPage } from "./list-transfers";
import type { TransferSummary, TransferView } from "./transfer-view";

const ciphertext = (description: string) =>
  z
    .templateLiteral(["0x", z.string()])
    .nullable()
    .meta({ description, wire: { type: ["string", "null"], pattern: "^0x([0-9a-f]{2})*$" } });

/**
 * The encrypted copies of a transfer, and what they are bound to on chain: what a client needs to decrypt and verify
 * it.
 */
export const EncryptedTransfer = z
  .object({
    kind: z.enum(["transfer", "release", "fund"]).meta({
      description:
        "`transfer`: a confidential payment. `release`: a public one. `fund`: between an account and its own agent.",
    }),
    account: hexField(20, "The sender's address."),
    recipient: hexField(20, "The recipient's address."),
    asset_address: hexField(20, "The token's contract; zero for ETH."),
    note: z
      .templateLiteral(["0x", z.string()])
      .nullable()
      .meta({
        description: "The commitment that the recipient got; null if the payment created none.",
        wire: { type: ["string", "null"], pattern: "^0x[0-9a-f]{64}$" },
      }),
    old_word: hexField(32, "The sender's available balance before it, as a commitment."),
    new_word: hexField(32, "The sender's available balance after it, as a commitment."),
    recipient_ciphertext: ciphertext("Encrypted for the recipient's viewing key: amount and salt."),
    payer_ciphertext: ciphertext("Encrypted for the sender's viewing key: amount, new balance and seed."),
    memo: ciphertext("The memo, encrypted under the note's salt; of a public payment, for the sender."),
    recipient_memo: ciphertext("The memo of a public payment, encrypted for the recipient."),
  })
  .meta({
    id: "EncryptedTransfer",
    description: "The encrypted copies of a transfer. Only its two sides can decrypt them.",
  });
export type EncryptedTransfer = z.infer<typeof EncryptedTransfer>;

/** A transfer as the API returns it: the contract's fields, `direction` and `asset`. Never an amount or a memo. */
export const TransferResource = z
  .object({
    transfer_id: idField("transfer", "Identifies the transfer."),
    status: z.enum(["pending", "confirmed", "failed"]).meta({
      description:
        "`pending`: submitted to the chain. `confirmed`: final on chain. `failed`: did not settle, and no money moved.",
    }),
    from: handleField("Handle of the sender."),
    to: z.string().meta({
      description:
        "The recipient, as the sender wrote it; the handle, if it was paid for a payment request or schedule, or is a refund.",
    }),
    direction: z.enum(["sent", "received"]).meta({ description: "Whether you sent or received it." }),
    asset: z.string().meta({ description: "Symbol of the asset.", examples: ["USDG"] }),
    confidential: z.boolean().meta({ description: "Whether the amount is encrypted on chain." }),
    tx_hash: hexField(32, "Hash of the transaction on chain."),
    created_at: timeField("When it was accepted."),
    confirmed_at: timeOrNull("When it became final on chain; null until then."),
    ...DETAILS_FIELDS,
    exact: ExactResource.optional().meta({
      description: "What the seller takes; only in the response to a payment with `exact`, and with `include=exact`.",
    }),
    encrypted: EncryptedTransfer.optional().meta({
      description: "The encrypted copies; only with `include=encrypted`.",
    }),
  })
  .meta({
    id: "Transfer",
    description: "A payment, without its amount: only the payer and the recipient can decrypt that.",
  });
export type TransferResource = z.infer<typeof TransferResource>;

/** A page of transfers. */
export const TransferList = z
  .object({ transfers: z.array(TransferResource).meta({ description: "The transfers of this page." }), ...PAGE_FIELDS })
  .meta({ id: "TransferList", description: "Transfers, newest first." });

/** Serializes a transfer. */
export function toTransferResource({ row, payerHandle, direction }: TransferSummary): TransferResource {
  return {
    transfer_id: row.id,
    status: row.status,
    from: `@${payerHandle}`,
    to: row.to,
    direction,
    asset: assetByAddress(row.chainId as ChainId, row.asset)?.symbol ?? row.asset,
    confidential: row.kind !== "release",
    tx_hash: row.txHash,
    created_at: isoTime(row.createdAt),
    confirmed_at: row.confirmedAt && isoTime(row.confirmedAt),
    reference: row.reference,
    refund_of: row.refundOf,
    checked: row.refundChecked,
    payment_request: row.paymentRequestId,
    payout: direction === "sent" ? row.payoutId : null,
    schedule_run: direction === "sent" ? row.scheduleRunId : null,
  };
}

/** Serializes the encrypted copies of a transfer. */
function toEncrypted({ row, payerAddress }: TransferView): EncryptedTransfer {
  return {
    kind: row.kind,
    account: payerAddress,
    recipient: row.recipientAddress,
    asset_address: row.asset,
    note: row.note,
    old_word: row.oldWord,
    new_word: row.newWord,
    recipient_ciphertext: row.recipientCiphertext,
    payer_ciphertext: row.payerCiphertext,
    memo: row.memo,
    recipient_memo: row.recipientMemo,
  };
}

/** A transfer, with its encrypted copies if they were requested. */
export type FoundTransfer =
  | { summary: TransferSummary }
  | { encrypted: TransferView }
  | { view: TransferView; exact: ExactRow };

/** Serializes a transfer, with its encrypted copies if they were requested. */
export function toFoundTransfer(found: FoundTransfer): TransferResource {
  if ("summary" in found) return toTransferResource(found.summary);
  if ("exact" in found) return { ...toTransferResource(found.view), exact: toExactResource(found.view, found.exact) };
  return { ...toTransferResource(found.encrypted), encrypted: toEncrypted(found.encrypted) };
}

/** A page of transfers, with their ciphertexts if they were requested. */
export type ListedTransfers =
  | (TransferPage<TransferSummary> & { include?: undefined })
  | (TransferPage<TransferView> & { include: "encrypted" });

/** Serializes a page of transfers, with their encrypted copies if they were requested. */
export function toTransferList(page: ListedTransfers) {
  const { limit, offset, hasMore } = page;
  const transfers =
    page.include === "encrypted"
      ? page.transfers.map((encrypted) => toFoundTransfer({ encrypted }))
      : page.transfers.map(toTransferResource);
  return { transfers, limit, offset, has_more: hasMore };
}

/** A transfer, as a session of one of its sides sees it. */
export interface OwnerTransferResource extends TransferResource, EncryptedTransfer {
  key_id: string | null;
  /** For a public payment or a move. */
  payment_id: Hex | null;
  /** Shared by the payments of a batch; null to the other side. */
  operation_id: string | null;
  /** Its position in the batch; null if it is not part of one. */
  batch_index: number | null;
}

/** Serializes a transfer with its ciphertexts, for a session of one of its sides. */
export function toOwnerTransfer(view: TransferView): OwnerTransferResource {
  return {
    ...toTransferResource(view),
    ...toEncrypted(view),
    // The other side's keys are not shown.
    key_id: view.direction === "sent" ? view.row.keyId : null,
    payment_id: view.row.paymentId,
    operation_id: view.direction === "sent" ? view.row.operationId : null,
    batch_index: view.row.batchIndex,
  };
}

/** Serializes a page of transfers with their ciphertexts. */
export function toOwnerTransferList(page: TransferPage<TransferView>) {
  const { limit, offset, hasMore } = page;
  return { transfers: page.transfers.map(toOwnerTransfer), limit, offset, has_more: hasMore };
}

/** Serializes a transfer with its ciphertexts and its timeline. */
export function toOwnerTransferDetails(details: TransferDetails) {
  const { createdAt, broadcastAt, mined, finalAt, failedAt, failure } = details.timeline;
  return {
    ...toOwnerTransfer(details),
    refund_to: details.refundTo,
    timeline: {
      created_at: isoTime(createdAt),
      broadcast_at: broadcastAt && isoTime(broadcastAt),
      mined: mined && { block: mined.block.toString(), at: isoTime(mined.at) },
      final_at: finalAt && isoTime(finalAt),
      failed_at: failedAt && isoTime(failedAt),
      failure,
    },
  };
}
