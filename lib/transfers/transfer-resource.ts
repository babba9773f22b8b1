import type { Hex } from "viem";
import { assetByAddress } from "@/lib/assets";
import { isoTime } from "@/lib/clock";
import type { ChainId } from "@/lib/network";
import type { TransferPage } from "./list-transfers";
import type { TransferSummary, TransferView } from "./transfer-view";

/** A transfer as the API answers it: the contract's fields, `direction` and `asset`. Never an amount or a memo. */
export interface TransferResource {
  transfer_id: string;
  status: "pending" | "confirmed" | "failed";
  /** Handle of the sender, with @. */
  from: string;
  /** As the sender wrote it. */
  to: string;
  direction: "sent" | "received";
  asset: string;
  confidential: boolean;
  tx_hash: Hex;
  created_at: string;
  confirmed_at: string | null;
}

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
