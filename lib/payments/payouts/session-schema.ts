import { z } from "zod";
import { isId } from "@/lib/base/ids";
import { SecretVersion } from "@/lib/base/inputs";
import { hexBytes, word } from "@/lib/ledger/prepare/document-fields";
import { SEALED_PAYOUT_KEY_LENGTH, SEALED_PAYOUT_ROW_LENGTH } from "@/lib/ledger/seal/payout";
import { PAYOUT_ROWS } from "./schema";

const number = z.int().min(0).max(PAYOUT_ROWS);

/** The body of `POST /api/payouts`: a payout whose rows follow in later requests. The client generates its id. */
export const DraftPayoutInput = z.strictObject({
  payout_id: z.string().refine((id) => isId("payout", id), "payout_id is the id of a payout."),
  rows: z.int().min(1).max(PAYOUT_ROWS),
  sealed_key: hexBytes(SEALED_PAYOUT_KEY_LENGTH),
  secret_version: SecretVersion,
});

/** The body of `POST /api/payouts/{payout_id}/rows`: rows of a draft, encrypted by the client. */
export const AddRowsInput = z.strictObject({
  rows: z
    .array(
      z.strictObject({
        row: number.min(1),
        batch: number,
        place: z.int().min(0).max(15),
        note: word,
        to: z.string().max(128),
        reference: z.string().max(64).nullable(),
        sealed: hexBytes(SEALED_PAYOUT_ROW_LENGTH),
      }),
    )
    .min(1)
    .max(500, "Send up to 500 rows at a time."),
});

/** The body of `POST /api/payouts/check`: only names, because amounts stay on the client. */
export const CheckNamesInput = z.strictObject({
  to: z.array(z.string().max(100)).min(1).max(PAYOUT_ROWS),
});

/** Errors of the account as a whole, not of a row. Retrying does not help. */
const CLIENT_PAUSES = ["insufficient_balance", "sync_required", "kyc_required"] as const;

/** The body of `POST /api/payouts/{payout_id}/work`: what the client could not pay, and why. */
export const WorkInput = z.strictObject({
  failed: z
    .array(
      z.strictObject({
        row: number.min(1),
        error: z.enum([
          "recipient_not_found",
          "recipient_not_confidential_ready",
          "recipient_changed",
          "altered",
          "transfer_failed",
        ]),
      }),
    )
    .max(PAYOUT_ROWS)
    .default([]),
  /** Batches that were refused as a whole. Their rows are then paid one by one. */
  alone: z.array(number).max(PAYOUT_ROWS).default([]),
  /** The error that keeps the client from paying the next rows. It pauses the payout. */
  paused: z.enum(CLIENT_PAUSES).optional(),
});

/** The body of `POST /api/account-secret/payouts`: keys of payouts, encrypted under the current account secret. */
export const ReencryptPayoutsInput = z.strictObject({
  secret_version: SecretVersion,
  payouts: z
    .array(z.strictObject({ payout_id: z.string().max(40), sealed_key: hexBytes(SEALED_PAYOUT_KEY_LENGTH) }))
    .max(200, "Send up to 200 at a time."),
});

export type DraftPayoutInput = z.infer<typeof DraftPayoutInput>;
export type AddRowsInput = z.infer<typeof AddRowsInput>;
export type CheckNamesInput = z.infer<typeof CheckNamesInput>;
export type WorkInput = z.infer<typeof WorkInput>;
export type ReencryptPayoutsInput = z.infer<typeof ReencryptPayoutsInput>;
