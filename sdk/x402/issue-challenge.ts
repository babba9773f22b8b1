import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import type { Context } from "../context/context";
import { issuedProof } from "./challenge";
import { challengeFor } from "./verifier";
import type { Extra, PaymentRequirements } from "./wire";

/** The request that a challenge is for. */
export interface AskedRequest {
  method: string;
  /** Its URL as the buyer knows it. */
  resource: string;
}

/**
 * A fresh challenge: what `extra` of an offer holds. No record is kept of it; `proof` shows the seller that it is its own.
 *
 * @param validFor seconds in which it can be paid
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
