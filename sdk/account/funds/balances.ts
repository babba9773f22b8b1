import { HalcyonError } from "../../api/errors";
import type { Context } from "../../context/context";
import { findAgent } from "../agents";
import { partyOf } from "../party";
import { type ProvenHoldings, proveHoldings } from "./proof";

/** The amounts if the request had a proof; otherwise only whether each balance is above zero. */
export interface DecryptedBalances {
  balances: { asset: string; amount?: string; above_zero?: boolean }[];
  /** Number of notes that the proof did not include. They are not counted. */
  undecrypted_notes?: number;
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

/**
 * Compares the service's response with what this machine proved. A withdrawal or payment in between moves both.
 *
 * @throws HalcyonError `unavailable` when they differ
 */
function agreeing(response: DecryptedBalances, held: ProvenHoldings["held"] | undefined): DecryptedBalances {
  for (const { asset, amount } of held ?? []) {
    const found = response.balances.flatMap((one) => (one.asset === asset ? one.amount : []));
    if ((found.join() || "0") === amount) continue;
    throw new HalcyonError(
      "unavailable",
      `The service returned another ${asset} balance than this machine has proved. Try again; if it stays, believe \`balances.decrypt\`.`,
    );
  }
  return response;
}

/**
 * Reads balances over the wallet's session. Always needs a proof, because a session can't decrypt an available
 * balance's flag.
 */
async function ownerBalances(context: Context, { decryptionProof, agent }: BalancesInput): Promise<DecryptedBalances> {
  const query = agent === undefined ? {} : { agent: (await findAgent(context, agent)).account_id };
  const proven =
    decryptionProof === undefined ? await proveHoldings(context, await partyOf(context, agent)) : undefined;
  const decryption_proof = decryptionProof ?? proven?.decryption_proof;
  const session = await context.session();
  return agreeing(
    await session.post<DecryptedBalances>("/v1/accounts/me/balances", { decryption_proof }, query),
    proven?.held,
  );
}

/** Reads the balances endpoint. Implements `balances.get`. */
export async function balances(context: Context, input: BalancesInput = {}): Promise<DecryptedBalances> {
  if (input.agent !== undefined || (!context.hasApiKey && context.hasWallet)) return ownerBalances(context, input);
  const proven = input.prove ? await proveHoldings(context, await partyOf(context)) : undefined;
  const text = proven?.decryption_proof ?? input.decryptionProof;
  const json = text === undefined ? {} : { decryption_proof: text };
  // fetch can't send a body with GET. POST on the same path does the same.
  const response = await context.http.send("POST", "/v1/accounts/me/balances", { json, headers: context.bearer });
  return agreeing(response.body as DecryptedBalances, proven?.held);
}
