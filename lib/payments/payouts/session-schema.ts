import { z } from "zod";
import { SecretVersion } from "@/lib/base/inputs";
import { ENCRYPTED_PAYOUT_KEY_LENGTH } from "@/lib/ledger/encrypted/payout";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";
import { PAYOUT_ROWS } from "./schema";

const number = z.int().min(0).max(PAYOUT_ROWS);

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
    .array(z.strictObject({ payout_id: z.string().max(40), encrypted_key: hexBytes(ENCRYPTED_PAYOUT_KEY_LENGTH) }))
    .max(200, "Send up to 200 at a time."),
});

export type CheckNamesInput = z.infer<typeof CheckNamesInput>;
export type WorkInput = z.infer<typeof WorkInput>;
export type ReencryptPayoutsInput = z.infer<typeof ReencryptPayoutsInput>;
