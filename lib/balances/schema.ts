import { z } from "zod";
import { countBalanceProofs } from "@/lib/ledger/decryption-proof-document";

/** The body of `/v1/accounts/me/balances`, which may be left out altogether. */
export const BalancesInput = z
  .strictObject({
    decryption_proof: z
      .string("decryption_proof is the base64 text the owner's client made.")
      .optional()
      .meta({ description: "Base64, made by the owner's client (`halcyon proof`)." }),
  })
  .default({})
  .meta({ id: "BalancesRequest", description: "May be left out altogether." });

export type BalancesInput = z.infer<typeof BalancesInput>;

/** How many requests this counts as: each proof has to be verified. */
export function costOfBalances({ decryption_proof: text }: BalancesInput): number {
  return text === undefined ? 1 : countBalanceProofs(text);
}
