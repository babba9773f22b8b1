import { z } from "zod";

/** The optional body of `/v1/accounts/me/balances`. */
export const BalancesInput = z.strictObject({
  decryption_proof: z.string("decryption_proof is the base64 text the owner's client made.").optional(),
});

export type BalancesInput = z.infer<typeof BalancesInput>;
