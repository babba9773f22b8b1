import { z } from "zod";
import { countBalanceProofs } from "@/lib/ledger/decryption-proof-document";
import { ENCRYPTED_SHOWN_FUNDS_LENGTH } from "@/lib/ledger/funds/shown-funds";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";

/** The body of `/v1/accounts/me/balances`. The whole body may be omitted. */
export const BalancesInput = z
  .strictObject({
    decryption_proof: z.string("decryption_proof is the base64 text the owner's client made.").optional().meta({
      description:
        "A proof of your balances in base64, created with the SDK or `halcyon proof`. If omitted, the response contains no amounts.",
    }),
  })
  .default({})
  .meta({ id: "BalancesRequest", description: "You can omit the body." });

export type BalancesInput = z.infer<typeof BalancesInput>;

/** Returns how many requests this one counts as for the rate limit: each proof has to be verified. */
export function costOfBalances({ decryption_proof: text }: BalancesInput): number {
  return text === undefined ? 1 : countBalanceProofs(text);
}

/** A record's version, within the range of the database column. */
const recordVersion = z.int("version and expected are whole numbers.").min(0).max(2_147_483_647);

/** The body of `POST /api/shown-funds`: the next record, and the version it follows (0 if there is none). */
export const ReplaceShownFundsInput = z
  .strictObject({ expected: recordVersion, version: recordVersion, encrypted: hexBytes(ENCRYPTED_SHOWN_FUNDS_LENGTH) })
  .refine(({ expected, version }) => version > expected, {
    path: ["version"],
    message: "version is higher than expected.",
  });
export type ReplaceShownFundsInput = z.infer<typeof ReplaceShownFundsInput>;
