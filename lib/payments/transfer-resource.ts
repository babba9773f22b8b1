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
const EncryptedTransfer = z
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
    old_commitment: hexField(32, "The sender's available balance before it, as a commitment."),
    new_commitment: hexField(32, "The sender's available balance after it, as a commitment."),
    recipient_ciphertext: ciphertext("Encrypted for the recipient's viewing key: amount and salt."),
    payer_ciphertext: ciphertext("Encrypted for the sender's viewing key: amount, new balance and seed."),
    memo: ciphertext("The memo, encrypted under the note's salt; of a public payment, for the sender."),
    recipient_memo: ciphertext("The memo of a public payment, encrypted for the recipient."),
    payment_id: z
      .templateLiteral(["0x", z.string()])
      .nullable()
      .meta({
        description: "Identifies on chain a public payment, or a move between an account and its agent; else null.",
        wire: { type: ["string", "null"], pattern: "^0x[0-9a-f]{64}$" },
      }),
    operation_id: z.string().nullable().meta({
      description: "Of a sent payment: the service's work on chain, which the payments of a batch share; else null.",
    }),
    batch_index: z
      .number()
      .nullable()
      .meta({ description: "Its position in the batch; null outside one.", wire: { type: ["integer", "null"] } }),
    key_id: z.string().nullable().meta({
      description:
        "Of a sent payment: the API key that made it; null if the owner's client made it, or another account.",
    }),
  })
  .meta({
    id: "EncryptedTransfer",
    description: "The encrypted copies of a transfer. Only its two sides can decrypt them.",
  });
type EncryptedTransfer = z.infer<typeof EncryptedTransfer>;

/** What the service knows of a transfer besides its state. */
export const TransferHistory = z
  .object({
    refund_to: z
      .object({
        address: hexField(20, "The account's address."),
        handle: handleField("The account's handle."),
      })
      .nullable()
      .meta({ description: "Of a payment that you received and can refund: the account that a refund goes to." }),
    timeline: z
      .object({
        created_at: timeField("When it was accepted."),
        broadcast_at: timeOrNull("When a node first accepted its transaction."),
        mined: z
          .object({
            block: z.string().meta({ description: "The block's number, as decimal digits." }),
            at: timeField("The block's time."),
          })
          .nullable()
          .meta({ description: "The block that has it, as the chain says now: perhaps not final." }),
        final_at: timeOrNull("When it became final on chain."),
        failed_at: timeOrNull("When it was known to have failed."),
        failure: z.enum(["expired", "superseded"]).nullable().meta({
          description:
            "Why it failed. `expired`: in no block before its deadline. `superseded`: the balance it spends from changed.",
        }),
      })
      .meta({ description: "How far it has come." }),
  })
  .meta({ id: "TransferHistory", description: "How far a transfer has come, and where a refund of it goes." });
export type TransferHistory = z.infer<typeof TransferHistory>;

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
      description: "The encrypted copies; only with `include=encrypted` and `include=history`.",
    }),
    history: TransferHistory.optional().meta({ description: "Its history; only with `include=history`." }),
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

/** The transfers of payments that were made together. */
export const BatchResource = z
  .object({ transfers: z.array(TransferResource).meta({ description: "The transfers, in the order of the request." }) })
  .meta({ id: "TransferBatch", description: "Payments that were made together." });

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
function toEncrypted({ row, payerAddress, direction }: TransferView): EncryptedTransfer {
  return {
    kind: row.kind,
    account: payerAddress,
    recipient: row.recipientAddress,
    asset_address: row.asset,
    note: row.note,
    old_commitment: row.oldCommitment,
    new_commitment: row.newCommitment,
    recipient_ciphertext: row.recipientCiphertext,
    payer_ciphertext: row.payerCiphertext,
    memo: row.memo,
    recipient_memo: row.recipientMemo,
    payment_id: row.paymentId,
    operation_id: direction === "sent" ? row.operationId : null,
    batch_index: row.batchIndex,
    // The other side's keys are not shown.
    key_id: direction === "sent" ? row.keyId : null,
  };
}

function toHistory({ refundTo, timeline }: TransferDetails): TransferHistory {
  const { createdAt, broadcastAt, mined, finalAt, failedAt, failure } = timeline;
  return {
    refund_to: refundTo,
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

/** A transfer, with its encrypted copies if they were requested. */
export type FoundTransfer =
  | { summary: TransferSummary }
  | { encrypted: TransferView }
  | { history: TransferDetails }
  | { view: TransferView; exact: ExactRow };

/** Serializes a transfer, with its encrypted copies if they were requested. */
export function toFoundTransfer(found: FoundTransfer): TransferResource {
  if ("summary" in found) return toTransferResource(found.summary);
  if ("exact" in found) return { ...toTransferResource(found.view), exact: toExactResource(found.view, found.exact) };
  if ("history" in found) return toTransferWithHistory(found.history);
  return toEncryptedTransfer(found.encrypted);
}

/** A transfer with its encrypted copies. */
export interface TransferWithCopies extends TransferResource {
  encrypted: EncryptedTransfer;
}

/** Serializes a transfer with its encrypted copies. */
export function toEncryptedTransfer(view: TransferView): TransferWithCopies {
  return { ...toTransferResource(view), encrypted: toEncrypted(view) };
}

/** Serializes a transfer with its encrypted copies and its history. */
export function toTransferWithHistory(details: TransferDetails): TransferWithCopies & { history: TransferHistory } {
  return { ...toEncryptedTransfer(details), history: toHistory(details) };
}

/** A page of transfers, with their ciphertexts if they were requested. */
type ListedTransfers =
  | (TransferPage<TransferSummary> & { include?: undefined })
  | (TransferPage<TransferView> & { include: "encrypted" });

/** Serializes a page of transfers, with their encrypted copies if they were requested. */
export function toTransferList(page: ListedTransfers) {
  if (page.include === "encrypted") return toEncryptedList(page);
  const { limit, offset, hasMore } = page;
  return { transfers: page.transfers.map(toTransferResource), limit, offset, has_more: hasMore };
}

/** Serializes a page of transfers with their encrypted copies. */
export function toEncryptedList({ transfers, limit, offset, hasMore }: TransferPage<TransferView>) {
  return { transfers: transfers.map(toEncryptedTransfer), limit, offset, has_more: hasMore };
}
