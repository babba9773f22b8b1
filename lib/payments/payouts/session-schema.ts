import { z } from "zod";
import { SecretVersion } from "@/lib/base/inputs";
import { ENCRYPTED_PAYOUT_KEY_LENGTH } from "@/lib/ledger/encrypted/payout";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";
import { PAYOUT_ROWS, WORK_FIELDS } from "./schema";

/** The body of `POST /api/payouts/check`: only names, because amounts stay on the client. */
export const CheckNamesInput = z.strictObject({
  to: z.array(z.string().max(100)).min(1).max(PAYOUT_ROWS),
});

/** The body of `POST /api/payouts/{payout_id}/work`: what the client could not pay, and why. */
export const WorkInput = z.strictObject(WORK_FIELDS);

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
