import { z } from "zod";
import { SEALED_FLAG_LENGTH, SEALED_STATE_MAX_LENGTH, SEALED_STATE_MIN_LENGTH } from "../seal/budget-state";
import { PAYER_COPY_LENGTH, RECIPIENT_COPY_LENGTH } from "../seal/copies";
import { RECIPIENT_MEMO_LENGTH, SEALED_MEMO_LENGTH } from "../seal/memo";
import { addressText, hexBytes, positive, u64, word } from "./document-fields";
import { PROOF_LENGTH } from "./proof";

const nextState = z.strictObject({
  sealed: hexBytes(SEALED_STATE_MIN_LENGTH, SEALED_STATE_MAX_LENGTH),
  flag: hexBytes(SEALED_FLAG_LENGTH),
});

const authorised = {
  proof: hexBytes(PROOF_LENGTH),
  signature: hexBytes(65),
};

const common = {
  account: addressText,
  to: addressText,
  asset: addressText,
  old_budget: word,
  new_budget: word,
  deadline: u64,
  payer_ciphertext: hexBytes(PAYER_COPY_LENGTH),
  next_state: nextState,
};

const transfer = z.strictObject({
  kind: z.literal("transfer"),
  ...common,
  note: word,
  recipient_ciphertext: hexBytes(RECIPIENT_COPY_LENGTH),
  memo_ciphertext: hexBytes(SEALED_MEMO_LENGTH).optional(),
  ...authorised,
});

const release = z.strictObject({
  kind: z.literal("release"),
  ...common,
  amount: positive,
  memo_ciphertext: hexBytes(SEALED_MEMO_LENGTH).optional(),
  recipient_memo_ciphertext: hexBytes(RECIPIENT_MEMO_LENGTH).optional(),
  ...authorised,
});

/** `account` pays; `old_budget`, `new_budget`, `payer_ciphertext`, `next_state` are its; `to_…` are the receiver's. */
const fund = z.strictObject({
  kind: z.literal("fund"),
  ...common,
  to_old_budget: word,
  to_new_budget: word,
  to_ciphertext: hexBytes(PAYER_COPY_LENGTH),
  to_next_state: nextState,
  memo_ciphertext: hexBytes(SEALED_MEMO_LENGTH).optional(),
  ...authorised,
});

const allocation = z.strictObject({
  kind: z.literal("allocate"),
  account: addressText,
  asset: addressText,
  old_budget: word,
  new_budget: word,
  notes: z.array(word).length(8),
  credit: u64,
  change_note: word,
  ciphertext: hexBytes(PAYER_COPY_LENGTH),
  nonce: u64,
  deadline: u64,
  next_state: nextState,
  ...authorised,
});

/** `prepared` of `POST /v1/transfers`: a payment made by the client, ready to relay (docs/protocol.md section 7). */
export const PreparedPaymentSchema = z
  .discriminatedUnion("kind", [
    transfer.meta({ id: "PreparedTransfer", description: "A confidential payment, proven and signed." }),
    release.meta({ id: "PreparedRelease", description: "A public payment, proven and signed." }),
    fund.meta({ id: "PreparedFund", description: "A move between an account and its agent, proven and signed." }),
  ])
  .meta({ id: "PreparedPayment", description: "A payment made by the owner's client, ready to relay." });

/** An allocation made by the client, ready to relay. */
export const PreparedAllocationSchema = allocation;

export type SealedStateDocument = z.infer<typeof nextState>;
export type PreparedTransfer = z.infer<typeof transfer>;
export type PreparedRelease = z.infer<typeof release>;
export type PreparedFund = z.infer<typeof fund>;
export type PreparedAllocation = z.infer<typeof allocation>;
export type PreparedPayment = PreparedTransfer | PreparedRelease | PreparedFund;
export type PreparedDocument = PreparedPayment | PreparedAllocation;

/** A document before it is proven and signed. */
export type Draft<D extends PreparedDocument> = D extends PreparedDocument ? Omit<D, "proof" | "signature"> : never;
