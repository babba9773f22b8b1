import type { Context } from "./context";
import { proof } from "./proof";

/** With a proof the amounts, without one only whether there is anything. */
export interface Balances {
  balances: { asset: string; amount?: string; above_zero?: boolean }[];
  /** Notes a proof did not name: not counted. */
  unopened_notes?: number;
}

/**
 * The balances endpoint. An API key alone learns only whether each asset's balance is above zero; a wallet alone always
 * proves.
 *
 * @param input `decryptionProof` as `proof` made it, or `prove: true` to make one now (needs the wallet key)
 * @example
 * await halcyon.balances({ prove: true }); // { balances: [{ asset: "USDG", amount: "975" }], unopened_notes: 0 }
 * @throws HalcyonError `kyc_required`, `decryption_proof_invalid`
 */
export async function balances(
  context: Context,
  input: { decryptionProof?: string; prove?: boolean } = {},
): Promise<Balances> {
  const prove = input.prove || (!context.hasApiKey && context.hasWallet && input.decryptionProof === undefined);
  const text = prove ? (await proof(context)).decryption_proof : input.decryptionProof;
  const json = text === undefined ? {} : { decryption_proof: text };
  if (!context.hasApiKey && context.hasWallet) return (await context.session()).post<Balances>("/api/balances", json);
  // fetch cannot give GET a body; POST on the same path does the same.
  const answer = await context.http.send("POST", "/v1/accounts/me/balances", { json, headers: context.bearer });
  return answer.body as Balances;
}
