import { findAgent } from "../account/agents";
import type { Context } from "../context/context";
import { proof } from "./proof";

/** The amounts if the request had a proof; otherwise only whether each balance is above zero. */
export interface Balances {
  balances: { asset: string; amount?: string; above_zero?: boolean }[];
  /** Number of notes that the proof did not include. They are not counted. */
  unopened_notes?: number;
}

/** How to read balances. */
export interface BalancesInput {
  /** A proof from `balances.prove`. */
  decryptionProof?: string | undefined;
  /** Creates a proof now. Needs the wallet key. */
  prove?: boolean | undefined;
  /** Handle of an agent of the account. Only the wallet can prove its balance. */
  agent?: string | undefined;
}

/** Reads balances over the wallet's session. Always needs a proof, because a session can't decrypt a budget's flag. */
async function ownerBalances(context: Context, { decryptionProof, agent }: BalancesInput): Promise<Balances> {
  const query = agent === undefined ? {} : { agent: (await findAgent(context, agent)).account_id };
  const decryption_proof = decryptionProof ?? (await proof(context, { agent })).decryption_proof;
  return (await context.session()).post<Balances>("/api/balances", { decryption_proof }, query);
}

/** Reads the balances endpoint. Implements `balances.get`. */
export async function balances(context: Context, input: BalancesInput = {}): Promise<Balances> {
  if (input.agent !== undefined || (!context.hasApiKey && context.hasWallet)) return ownerBalances(context, input);
  const text = input.prove ? (await proof(context)).decryption_proof : input.decryptionProof;
  const json = text === undefined ? {} : { decryption_proof: text };
  // fetch can't send a body with GET. POST on the same path does the same.
  const response = await context.http.send("POST", "/v1/accounts/me/balances", { json, headers: context.bearer });
  return response.body as Balances;
}
