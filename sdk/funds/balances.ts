import { findAgent } from "../account/agents";
import type { Context } from "../context/context";
import { proof } from "./proof";

/** With a proof the amounts, without one only whether there is anything. */
export interface Balances {
  balances: { asset: string; amount?: string; above_zero?: boolean }[];
  /** Notes a proof did not name: not counted. */
  unopened_notes?: number;
}

/** How balances are asked for. */
export interface BalancesInput {
  /** As `proof` made it. */
  decryptionProof?: string | undefined;
  /** Makes one now (needs the wallet key). */
  prove?: boolean | undefined;
  /** Handle of an agent of the account; proven by the wallet. */
  agent?: string | undefined;
}

/** Over the wallet's session: always with a proof, for a session decrypts no budget's flag. */
async function ownerBalances(context: Context, { decryptionProof, agent }: BalancesInput): Promise<Balances> {
  const query = agent === undefined ? {} : { agent: (await findAgent(context, agent)).account_id };
  const decryption_proof = decryptionProof ?? (await proof(context, { agent })).decryption_proof;
  return (await context.session()).post<Balances>("/api/balances", { decryption_proof }, query);
}

/** What the balances endpoint returns: what `balances.get` does. */
export async function balances(context: Context, input: BalancesInput = {}): Promise<Balances> {
  if (input.agent !== undefined || (!context.hasApiKey && context.hasWallet)) return ownerBalances(context, input);
  const text = input.prove ? (await proof(context)).decryption_proof : input.decryptionProof;
  const json = text === undefined ? {} : { decryption_proof: text };
  // fetch cannot give GET a body; POST on the same path does the same.
  const response = await context.http.send("POST", "/v1/accounts/me/balances", { json, headers: context.bearer });
  return response.body as Balances;
}
