import { z } from "zod";
import { SEALED_FLAG_LENGTH, SEALED_STATE_MAX_LENGTH, SEALED_STATE_MIN_LENGTH } from "../seal/budget-state";
import { PAYER_COPY_LENGTH, RECIPIENT_COPY_LENGTH } from "../seal/copies";
import { RECIPIENT_MEMO_LENGTH, SEALED_MEMO_LENGTH } from "../seal/memo";
import { addressText, hexBytes, positive, u64, word } from "./document-fields";
import { PROOF_LENGTH } from "./proof";

const nextState = z.strictObject({
  sealed: hexBytes(SEALED_STATE_MIN_LENGTH, SEALED_STATE_MAX_LENGTH).meta({
    description: "The new available balance, encrypted under the account secret.",
  }),
  flag: hexBytes(SEALED_FLAG_LENGTH).meta({
    description: "Whether the new available balance is above zero, encrypted for the API keys of the account.",
  }),
});

const authorised = {
  proof: hexBytes(PROOF_LENGTH).meta({ description: "The zero-knowledge proof (Groth16) of the payment." }),
  signature: hexBytes(65).meta({
    description: "EIP-712 signature of the payment by the payer's wallet or payment signing key.",
  }),
};

const common = {
  account: addressText.meta({ description: "Address of the payer, in lower case." }),
  to: addressText.meta({ description: "Address of the recipient, in lower case." }),
  asset: addressText.meta({ description: "Address of the asset's contract in lower case; the zero address is ETH." }),
  old_budget: word.meta({ description: "Commitment to the payer's available balance before the payment." }),
  new_budget: word.meta({ description: "Commitment to the payer's available balance after the payment." }),
  deadline: u64.meta({
    description: "Unix time in seconds after which the payment can't happen, as a decimal string.",
  }),
  payer_ciphertext: hexBytes(PAYER_COPY_LENGTH).meta({ description: "The payment, encrypted for the payer." }),
  next_state: nextState.meta({ description: "The payer's available balance after the payment, encrypted." }),
};

const memo = hexBytes(SEALED_MEMO_LENGTH)
  .optional()
  .meta({ description: "The memo, encrypted. Every memo has the same length." });

const transfer = z.strictObject({
  kind: z.literal("transfer").meta({ description: "A confidential payment." }),
  ...common,
  note: word.meta({ description: "Commitment to the amount that the recipient receives." }),
  recipient_ciphertext: hexBytes(RECIPIENT_COPY_LENGTH).meta({
    description: "The payment, encrypted for the recipient.",
  }),
  memo_ciphertext: memo,
  ...authorised,
});

const release = z.strictObject({
  kind: z.literal("release").meta({ description: "A public payment." }),
  ...common,
  amount: positive.meta({ description: "The amount in the smallest unit of the asset, as a decimal string. Public." }),
  memo_ciphertext: memo,
  recipient_memo_ciphertext: hexBytes(RECIPIENT_MEMO_LENGTH)
    .optional()
    .meta({ description: "The memo, encrypted for the recipient." }),
  ...authorised,
});

/** `account` pays; `old_budget`, `new_budget`, `payer_ciphertext`, `next_state` are its; `to_…` are the receiver's. */
const fund = z.strictObject({
  kind: z.literal("fund").meta({ description: "A move of money between an account and its agent." }),
  ...common,
  to_old_budget: word.meta({ description: "Commitment to the recipient's available balance before the move." }),
  to_new_budget: word.meta({ description: "Commitment to the recipient's available balance after the move." }),
  to_ciphertext: hexBytes(PAYER_COPY_LENGTH).meta({ description: "The move, encrypted for the recipient." }),
  to_next_state: nextState.meta({ description: "The recipient's available balance after the move, encrypted." }),
  memo_ciphertext: memo,
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
    transfer.meta({ id: "PreparedTransfer", description: "A confidential payment, proved and signed." }),
    release.meta({ id: "PreparedRelease", description: "A public payment, proved and signed." }),
    fund.meta({ id: "PreparedFund", description: "A move between an account and its agent, proved and signed." }),
  ])
  .meta({ id: "PreparedPayment", description: "A client-signed payment, ready to submit. The SDK creates it." });

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
