import type { Hex } from "viem";
import { z } from "zod";
import { addressText, hexBytes, positive, u64, word } from "../../prepare/document-fields";
import { PROOF_LENGTH } from "../../prepare/proof";
import { SEALED_FLAG_LENGTH } from "../../seal/budget-state";
import { RECIPIENT_MEMO_LENGTH, SEALED_MEMO_LENGTH } from "../../seal/memo";
import { BATCH_COPY_LENGTH, BATCH_PAYMENTS } from "../seal/batch-copy";
import { SEALED_STATE_MAX_LENGTH, SEALED_STATE_MIN_LENGTH } from "../seal/budget-state";
import { PAYER_COPY_LENGTH } from "../seal/payer-copy";
import { RECIPIENT_COPY_LENGTH } from "../seal/recipient-copy";
import { anySignature, isKeySignature } from "./signature";

const nextState = z.strictObject({
  sealed: hexBytes(SEALED_STATE_MIN_LENGTH, SEALED_STATE_MAX_LENGTH),
  flag: hexBytes(SEALED_FLAG_LENGTH),
});

const authorised = { proof: hexBytes(PROOF_LENGTH), signature: anySignature };

/** Fields of everything that moves one budget. Addresses in lower case, times in Unix seconds as decimal strings. */
const budgetMove = {
  account: addressText,
  asset: addressText,
  old_budget: word,
  new_budget: word,
  deadline: u64,
  next_state: nextState,
};

/** `policy_version` is the payer's in the ledger's record: a later one voids the document. */
const payment = {
  ...budgetMove,
  to: addressText,
  policy_version: u64,
  payer_ciphertext: hexBytes(PAYER_COPY_LENGTH),
  memo_ciphertext: hexBytes(SEALED_MEMO_LENGTH).optional(),
};

const toNote = { note: word, recipient_ciphertext: hexBytes(RECIPIENT_COPY_LENGTH) };

const inPublic = {
  amount: positive,
  payment_id: hexBytes(32),
  recipient_memo_ciphertext: hexBytes(RECIPIENT_MEMO_LENGTH).optional(),
};

/** Who is responsible for a payment of a ruled budget, and the day it counts on. */
const ruled = {
  mode: z.literal([0, 1, 2]),
  day: z
    .int()
    .min(0)
    .max(2 ** 32 - 1),
  policy_word: word,
};

const byWallet = ({ mode }: { mode: number }) => mode === 2;
const dayFits = (d: { mode: number; day: number }) => !byWallet(d) || d.day === 0;
const DAY = { path: ["day"], error: "must be 0 in mode 2, which counts nothing" };
/** Keys sign in the other modes, and no key is a contract. */
const signatureFits = (d: { mode: number; signature: Hex }) => byWallet(d) || isKeySignature(d.signature);
const SIGNATURE = { path: ["signature"], error: "must be a key's, of 65 bytes, in modes 0 and 1" };

const transfer = z.strictObject({ kind: z.literal("transfer"), ...payment, ...toNote, ...authorised });
const release = z.strictObject({ kind: z.literal("release"), ...payment, ...inPublic, ...authorised });
const spend = z
  .strictObject({
    kind: z.literal("spend"),
    ...payment,
    ...toNote,
    ...ruled,
    sealed_amount: word,
    ...authorised,
  })
  .refine(dayFits, DAY)
  .refine(signatureFits, SIGNATURE);
const spendPublic = z
  .strictObject({ kind: z.literal("spend_public"), ...payment, ...inPublic, ...ruled, ...authorised })
  .refine(dayFits, DAY)
  .refine(signatureFits, SIGNATURE);
const transferMany = z.strictObject({
  kind: z.literal("transfer_many"),
  ...budgetMove,
  policy_version: u64,
  payments: z
    .array(z.strictObject({ to: addressText, ...toNote, memo_ciphertext: payment.memo_ciphertext }))
    .min(2)
    .max(BATCH_PAYMENTS),
  payer_ciphertext: hexBytes(BATCH_COPY_LENGTH),
  ...authorised,
});

/** `account` pays; `old_budget`, `new_budget`, `payer_ciphertext`, `next_state` are its; `to_…` are the receiver's. */
const fund = z.strictObject({
  kind: z.literal("fund"),
  ...budgetMove,
  to: addressText,
  payment_id: hexBytes(32),
  to_old_budget: word,
  to_new_budget: word,
  payer_ciphertext: hexBytes(PAYER_COPY_LENGTH),
  to_ciphertext: hexBytes(PAYER_COPY_LENGTH),
  to_next_state: nextState,
  memo_ciphertext: payment.memo_ciphertext,
  ...authorised,
});
const allocation = z.strictObject({
  kind: z.literal("allocate"),
  ...budgetMove,
  notes: z.array(word).length(8),
  credit: u64,
  change_note: word,
  ciphertext: hexBytes(PAYER_COPY_LENGTH),
  nonce: u64,
  ...authorised,
});

/** A payment made by the client, ready to relay. */
export const PreparedPaymentSchema = z.discriminatedUnion("kind", [
  transfer,
  release,
  spend,
  spendPublic,
  transferMany,
  fund,
]);

/** An allocation made by the client, ready to relay. */
export const PreparedAllocationSchema = allocation;

export type SealedStateDocument = z.infer<typeof nextState>;
export type PreparedTransfer = z.infer<typeof transfer>;
export type PreparedRelease = z.infer<typeof release>;
export type PreparedSpend = z.infer<typeof spend>;
export type PreparedSpendPublic = z.infer<typeof spendPublic>;
export type PreparedTransferMany = z.infer<typeof transferMany>;
export type PreparedFund = z.infer<typeof fund>;
export type PreparedAllocation = z.infer<typeof allocation>;
export type PreparedPayment = z.infer<typeof PreparedPaymentSchema>;
export type PreparedDocument = PreparedPayment | PreparedAllocation;

/** A document before it is proven and signed. */
export type Draft<D extends PreparedDocument> = D extends PreparedDocument ? Omit<D, "proof" | "signature"> : never;
