import type { Hex } from "viem";
import { z } from "zod";
import {
  ENCRYPTED_FLAG_LENGTH,
  ENCRYPTED_STATE_MAX_LENGTH,
  ENCRYPTED_STATE_MIN_LENGTH,
} from "../encrypted/available-state";
import { BATCH_COPY_LENGTH, BATCH_PAYMENTS } from "../encrypted/batch-copy";
import { ENCRYPTED_MEMO_LENGTH, RECIPIENT_MEMO_LENGTH } from "../encrypted/memo";
import { PAYER_COPY_LENGTH } from "../encrypted/payer-copy";
import { RECIPIENT_COPY_LENGTH } from "../encrypted/recipient-copy";
import { addressText, commitment, hexBytes, positive, u64 } from "./document-fields";
import { PROOF_LENGTH } from "./proof";
import { isKeySignature } from "./signature";
import { anySignature } from "./signature-fields";

const nextState = z.strictObject({
  encrypted: hexBytes(ENCRYPTED_STATE_MIN_LENGTH, ENCRYPTED_STATE_MAX_LENGTH).meta({
    description: "The new available balance, encrypted under the account secret.",
  }),
  flag: hexBytes(ENCRYPTED_FLAG_LENGTH).meta({
    description: "Whether the new available balance is above zero, encrypted for the API keys of the account.",
  }),
});

const authorised = {
  proof: hexBytes(PROOF_LENGTH).meta({ description: "The zero-knowledge proof (Groth16) of the payment." }),
  signature: anySignature.meta({
    description: "EIP-712 signature of the payment: 65 bytes of a key, or what a contract wallet takes (ERC-1271).",
  }),
};

/**
 * Fields of every document that changes one available balance. Addresses are in lower case, times in Unix seconds as
 * decimal strings.
 */
const availableMove = {
  account: addressText.meta({ description: "Address of the payer, in lower case." }),
  asset: addressText.meta({ description: "Address of the asset's contract in lower case; the zero address is ETH." }),
  old_available: commitment.meta({ description: "Commitment to the payer's available balance before the payment." }),
  new_available: commitment.meta({ description: "Commitment to the payer's available balance after the payment." }),
  deadline: u64.meta({
    description: "Unix time in seconds after which the payment can't happen, as a decimal string.",
  }),
  next_state: nextState.meta({ description: "The payer's available balance after the payment, encrypted." }),
};

const to = addressText.meta({ description: "Address of the recipient, in lower case." });
const policyVersion = u64.meta({
  description: "Version of the payer's policy on the ledger, as a decimal string. A later one voids the payment.",
});
const paymentId = hexBytes(32).meta({ description: "The ledger takes it once for each account." });
const payerCopy = hexBytes(PAYER_COPY_LENGTH).meta({ description: "The payment, encrypted for the payer." });
const memo = hexBytes(ENCRYPTED_MEMO_LENGTH)
  .optional()
  .meta({ description: "The memo, encrypted. Every memo has the same length." });

const payment = {
  ...availableMove,
  to,
  policy_version: policyVersion,
  payer_ciphertext: payerCopy,
  memo_ciphertext: memo,
};

const toNote = {
  note: commitment.meta({ description: "Commitment to the amount that the recipient receives." }),
  recipient_ciphertext: hexBytes(RECIPIENT_COPY_LENGTH).meta({
    description: "The payment, encrypted for the recipient.",
  }),
};

const inPublic = {
  amount: positive.meta({ description: "The amount in the smallest unit of the asset, as a decimal string. Public." }),
  payment_id: paymentId,
  recipient_memo_ciphertext: hexBytes(RECIPIENT_MEMO_LENGTH)
    .optional()
    .meta({ description: "The memo, encrypted for the recipient." }),
};

/** Who authorizes a payment under a policy, and the day on which it counts. */
const limited = {
  mode: z.literal([0, 1, 2]).meta({
    description: "Who signs: 0 the payer's own key, 1 its owner's key, which approves, 2 the owner's wallet.",
  }),
  day: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .meta({
      description: "The calendar day it counts on in the policy's time zone, as days since 1970-01-01. 0 in mode 2.",
    }),
  policy_commitment: commitment.meta({
    description: "Commitment to the payer's limits for this asset, as the ledger has it.",
  }),
};

const byWallet = ({ mode }: { mode: number }) => mode === 2;
const dayFits = (d: { mode: number; day: number }) => !byWallet(d) || d.day === 0;
const DAY = { path: ["day"], error: "must be 0 in mode 2, which counts nothing" };
/** In the other modes, the signer is a key and never a contract. */
const signatureFits = (d: { mode: number; signature: Hex }) => byWallet(d) || isKeySignature(d.signature);
const SIGNATURE = { path: ["signature"], error: "must be a key's, of 65 bytes, in modes 0 and 1" };

const transfer = z.strictObject({
  kind: z.literal("transfer").meta({ description: "A confidential payment." }),
  ...payment,
  ...toNote,
  ...authorised,
});
const release = z.strictObject({
  kind: z.literal("release").meta({ description: "A public payment." }),
  ...payment,
  ...inPublic,
  ...authorised,
});
const spendFields = z.strictObject({
  kind: z.literal("spend").meta({ description: "A confidential payment under a policy." }),
  ...payment,
  ...toNote,
  ...limited,
  encrypted_amount: commitment.meta({ description: "The amount under a pad that the payer's balances open." }),
  ...authorised,
});
const spend = spendFields.refine(dayFits, DAY).refine(signatureFits, SIGNATURE);
const spendPublicFields = z.strictObject({
  kind: z.literal("spend_public").meta({ description: "A public payment under a policy." }),
  ...payment,
  ...inPublic,
  ...limited,
  ...authorised,
});
const spendPublic = spendPublicFields.refine(dayFits, DAY).refine(signatureFits, SIGNATURE);
const transferMany = z.strictObject({
  kind: z.literal("transfer_many").meta({ description: "2 to 16 confidential payments in one proof." }),
  ...availableMove,
  policy_version: policyVersion,
  payments: z
    .array(z.strictObject({ to, ...toNote, memo_ciphertext: memo }))
    .min(2)
    .max(BATCH_PAYMENTS)
    .meta({ description: "The payments, in the order in which the ledger makes them." }),
  payer_ciphertext: hexBytes(BATCH_COPY_LENGTH).meta({ description: "All payments, encrypted for the payer." }),
  ...authorised,
});

/**
 * `account` pays. `old_available`, `new_available`, `payer_ciphertext` and `next_state` are the payer's; `to_…` are the
 * receiver's.
 */
const fund = z.strictObject({
  kind: z.literal("fund").meta({ description: "A move of money between an account and its agent." }),
  ...availableMove,
  to,
  payment_id: paymentId,
  to_old_available: commitment.meta({
    description: "Commitment to the recipient's available balance before the move.",
  }),
  to_new_available: commitment.meta({ description: "Commitment to the recipient's available balance after the move." }),
  payer_ciphertext: payerCopy,
  to_ciphertext: hexBytes(PAYER_COPY_LENGTH).meta({ description: "The move, encrypted for the recipient." }),
  to_next_state: nextState.meta({ description: "The recipient's available balance after the move, encrypted." }),
  memo_ciphertext: memo,
  ...authorised,
});

const makingAvailable = z.strictObject({
  kind: z.literal("make_available"),
  ...availableMove,
  notes: z.array(commitment).length(8),
  deposited: u64,
  change_note: commitment,
  ciphertext: hexBytes(PAYER_COPY_LENGTH),
  nonce: u64,
  ...authorised,
});

/**
 * `client_signed` of `POST /v1/transfers`: a payment that the client has built, ready to relay (docs/protocol.md
 * section 7).
 */
export const SignedPaymentSchema = z
  .discriminatedUnion("kind", [
    transfer.meta({ id: "SignedTransfer", description: "A confidential payment, proved and signed." }),
    release.meta({ id: "SignedRelease", description: "A public payment, proved and signed." }),
    spend.meta({ id: "SignedSpend", description: "A confidential payment under a policy, proved and signed." }),
    spendPublic.meta({
      id: "SignedSpendPublic",
      description: "A public payment under a policy, proved and signed.",
    }),
    fund.meta({ id: "SignedFund", description: "A move between an account and its agent, proved and signed." }),
  ])
  .meta({ id: "SignedPayment", description: "A client-signed payment, ready to submit. The SDK creates it." });

const unsignedTransfer = transfer
  .omit({ signature: true })
  .meta({ id: "UnsignedTransfer", description: "A confidential payment, proved and not signed." });

/** A payment that a client with a home key has built, for the service to sign (docs/protocol.md section 7). */
export const UnsignedPaymentSchema = z
  .discriminatedUnion("kind", [
    unsignedTransfer,
    release
      .omit({ signature: true })
      .meta({ id: "UnsignedRelease", description: "A public payment, proved and not signed." }),
    spendFields
      .omit({ signature: true })
      .refine(dayFits, DAY)
      .meta({ id: "UnsignedSpend", description: "A confidential payment under a policy, proved and not signed." }),
    spendPublicFields
      .omit({ signature: true })
      .refine(dayFits, DAY)
      .meta({ id: "UnsignedSpendPublic", description: "A public payment under a policy, proved and not signed." }),
  ])
  .meta({ id: "UnsignedPayment", description: "A payment that your machine has built and the service signs." });

/** 2 to 16 payments in one proof that a client has built with a home key and the service signs. */
export const UnsignedBatchSchema = transferMany
  .omit({ signature: true })
  .meta({ id: "UnsignedTransferMany", description: "2 to 16 payments in one proof, proved and not signed." });

/** Rows of a payout that a client with a home key has built: one payment, or several in one proof. */
export const UnsignedRowsSchema = z
  .discriminatedUnion("kind", [unsignedTransfer, UnsignedBatchSchema])
  .meta({ id: "UnsignedRows", description: "Rows of a payout that your machine has built and the service signs." });

/** Several payments of one account in one proof, built by the client, ready to relay. */
export const SignedBatchSchema = transferMany;

/** A move to the available balance that the client has built, ready to relay. */
export const SignedMakeAvailableSchema = makingAvailable;

export type UnsignedPayment = z.infer<typeof UnsignedPaymentSchema>;
export type UnsignedBatch = z.infer<typeof UnsignedBatchSchema>;
export type UnsignedRows = z.infer<typeof UnsignedRowsSchema>;
export type EncryptedStateDocument = z.infer<typeof nextState>;
export type SignedTransfer = z.infer<typeof transfer>;
export type SignedRelease = z.infer<typeof release>;
export type SignedSpend = z.infer<typeof spend>;
export type SignedSpendPublic = z.infer<typeof spendPublic>;
export type SignedTransferMany = z.infer<typeof transferMany>;
export type SignedFund = z.infer<typeof fund>;
export type SignedMakeAvailable = z.infer<typeof makingAvailable>;
export type SignedPayment = z.infer<typeof SignedPaymentSchema>;
export type SignedDocument = SignedPayment | SignedTransferMany | SignedMakeAvailable;

/** A document before it is proved and signed. */
export type Draft<D extends SignedDocument> = D extends SignedDocument ? Omit<D, "proof" | "signature"> : never;
