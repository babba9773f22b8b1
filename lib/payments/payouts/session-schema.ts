import { z } from "zod";
import { SecretVersion } from "@/lib/base/inputs";
import { ENCRYPTED_PAYOUT_KEY_LENGTH } from "@/lib/ledger/encrypted/payout";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";

/** The body of `POST /api/account-secret/payouts`: keys of payouts, encrypted under the current account secret. */
export const ReencryptPayoutsInput = z.strictObject({
  secret_version: SecretVersion,
  payouts: z
    .array(z.strictObject({ payout_id: z.string().max(40), encrypted_key: hexBytes(ENCRYPTED_PAYOUT_KEY_LENGTH) }))
    .max(200, "Send up to 200 at a time."),
});

export type ReencryptPayoutsInput = z.infer<typeof ReencryptPayoutsInput>;
