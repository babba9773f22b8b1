import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import type { Context } from "../context/context";
import { issuedProof } from "./challenge";
import { challengeFor } from "./verifier";
import type { Extra, PaymentRequirements } from "./wire";

/** The request that a challenge is for. */
export interface AskedRequest {
  method: string;
  /** Its URL as the buyer sees it. */
  resource: string;
}

/**
 * Creates a new challenge, for `extra` of an offer. It is not stored; by `proof` the seller recognizes it later.
 *
 * @param validFor seconds within which it can be paid
 */
export async function issueChallenge(
  context: Context,
  requirements: PaymentRequirements,
  { method, resource }: AskedRequest,
  validFor: number,
): Promise<Extra> {
  const [chain, { ledger }, { viewingKey }] = await Promise.all([context.chain(), context.scope(), context.viewer()]);
  const expires = Number(await chain.now()) + validFor;
  const terms = { ledger, method: method.toUpperCase(), resource, nonce: toHex(randomBytes(32)), expires };
  const proof = issuedProof(viewingKey.secret, await challengeFor(context, requirements, terms));
  return { ...terms, proof };
}
