import type { Hex } from "viem";
import { z } from "zod";
import { handleField, hexField, idField, PAGE_FIELDS, timeField, timeOrNull } from "@/lib/answer-fields";
import { assetByAddress } from "@/lib/assets";
import { isoTime } from "@/lib/clock";
import type { ChainId } from "@/lib/network";
import type { TransferDetails } from "./get-own-transfer";
import type { TransferPage } from "./list-transfers";
import type { TransferSummary, TransferView } from "./transfer-view";

/** A transfer as the API answers it: the contract's fields, `direction` and `asset`. Never an amount or a memo. */
export const TransferResource = z
  .object({
    transfer_id: idField("transfer", "Identifies the transfer."),
    status: z.enum(["pending", "confirmed", "failed"]).meta({
      description: "`pending`: sent to the chain. `confirmed`: final there. `failed`: did not settle, nothing moved.",
    }),
    from: handleField("Handle of the sender."),
    to: z.string().meta({ description: "The recipient, as the sender wrote it." }),
    direction: z.enum(["sent", "received"]).meta({ description: "Which side of it you are." }),
    asset: z.string().meta({ description: "Symbol of the asset.", examples: ["USDG"] }),
    confidential: z.boolean().meta({ description: "Whether the amount is encrypted on chain." }),
    tx_hash: hexField(32, "Hash of the transaction on chain."),
    created_at: timeField("When it was accepted."),
    confirmed_at: timeOrNull("When it became final on chain; null until then."),
  })
  .meta({ id: "Transfer", description: "A payment, without its amount: only the two sides can open that." });
export type TransferResource = z.infer<typeof TransferResource>;

/** A page of transfers. */
export const TransferList = z
  .object({ transfers: z.array(TransferResource), ...PAGE_FIELDS })
  .meta({ id: "TransferList", description: "Transfers, newest first." });

/** Serialises a transfer. */
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
  };
}

/** Serialises a page of transfers. */
export function toTransferList(page: TransferPage) {
  const { limit, offset, hasMore } = page;
  return { transfers: page.transfers.map(toTransferResource), limit, offset, has_more: hasMore };
}

/** What the owner's client needs beside, to open amount and memo on its device. */
export interface OwnerTransferResource extends TransferResource {
  kind: "transfer" | "release" | "fund";
  account: Hex;
  recipient: Hex;
  asset_address: Hex;
  note: Hex | null;
  old_word: Hex;
  new_word: Hex;
  recipient_ciphertext: Hex | null;
  payer_ciphertext: Hex;
  memo: Hex | null;
  recipient_memo: Hex | null;
  key_id: string | null;
}

/** Serialises a transfer with its ciphertexts, for a session of one of its sides. */
export function toOwnerTransfer(view: TransferView): OwnerTransferResource {
  const { row, payerAddress } = view;
  return {
    ...toTransferResource(view),
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
    // The other side's keys are nobody's business.
    key_id: view.direction === "sent" ? row.keyId : null,
  };
}

/** Serialises a page of transfers with their ciphertexts. */
export function toOwnerTransferList(page: TransferPage) {
  const { limit, offset, hasMore } = page;
  return { transfers: page.transfers.map(toOwnerTransfer), limit, offset, has_more: hasMore };
}

/** Serialises a transfer with its ciphertexts and how far it has come. */
export function toOwnerTransferDetails(details: TransferDetails) {
  const { createdAt, broadcastAt, mined, finalAt, failedAt, failure } = details.timeline;
  return {
    ...toOwnerTransfer(details),
    operation_id: details.direction === "sent" ? details.row.operationId : null,
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
