import { decodeProofOfFunds } from "@/lib/ledger/funds/proof-of-funds";
import type { Context } from "../../context/context";
import { checkProofOfFunds, type ExpectedProof, type VerifiedProofOfFunds } from "./check-proof-of-funds";

/** Checks a proof of funds. Implements `proofsOfFunds.verify`. */
export async function verifyProofOfFunds(
  context: Context,
  text: string,
  expected: ExpectedProof,
): Promise<VerifiedProofOfFunds> {
  const [info, chain] = await Promise.all([context.info(), context.chain()]);
  const funds = decodeProofOfFunds(text);
  return checkProofOfFunds(funds, info, chain, await context.verifier(), expected);
}
