import type { CallOptions } from "../api/call-options";
import { checkInput, checkText, type FieldsOf } from "../api/check-input";
import type { ExpectedProof, VerifiedProofOfFunds } from "../statements/proofs-of-funds/check-proof-of-funds";
import type { CreateProofOfFundsInput, MadeProofOfFunds } from "../statements/proofs-of-funds/create-proof-of-funds";
import type { ProofOfFundsPreview } from "../statements/proofs-of-funds/preview-proof-of-funds";
import type { ProofOfFundsInput } from "../statements/proofs-of-funds/request-of";
import { Resource } from "./resource";

const FIELDS: FieldsOf<ProofOfFundsInput> = {
  atLeast: "amount!",
  for: "text!",
  purpose: "text",
  expires: "time",
  challenge: "text",
  asset: "text",
};

/**
 * Proofs that the account holds at least a sum, each for one verifier: `halcyon.proofsOfFunds`. Few programs need them,
 * so their code loads with the first call.
 */
export class ProofsOfFundsResource extends Resource {
  /**
   * Previews a proof: what it would show, to whom, and what was shown before. Let the account's owner see the preview
   * before you call `create`. It creates no proof and doesn't read the balance. Needs the wallet.
   *
   * @throws HalcyonError `invalid_request` for an amount that is not 1, 2 or 5 times a power of ten, and for a text or
   * time that a proof can't have
   */
  async preview(input: ProofOfFundsInput, options?: CallOptions): Promise<ProofOfFundsPreview> {
    checkInput(input, FIELDS);
    const { previewProofOfFunds } = await import("./lazy-calls");
    return previewProofOfFunds(this.context.within(options), input);
  }

  /**
   * Creates a proof that the account, without its agents, holds at least `atLeast` of an asset. The proof names the one
   * verifier it is for. The account keeps an encrypted record of what was shown to whom. Needs the wallet.
   *
   * @example
   * const { url } = await halcyon.proofsOfFunds.create({ atLeast: "5000", for: "North Bank", purpose: "Lease" });
   * @throws HalcyonError `invalid_request` like `preview`, and with `param` `again` when this verifier saw a lower
   * minimum in the last 30 days; `unavailable` when no proof was created, for any reason
   */
  async create(input: CreateProofOfFundsInput, options?: CallOptions): Promise<MadeProofOfFunds> {
    checkInput(input, { ...FIELDS, again: "flag" });
    const { createProofOfFunds } = await import("./lazy-calls");
    return createProofOfFunds(this.context.within(options), input);
  }

  /**
   * Checks a proof of funds against the chain. Needs neither wallet nor API key. Compare `verifier` with your own name,
   * or pass your name as `for`: if the proof names someone else, it was forwarded.
   *
   * @param text `hcf1_…`, or a link that ends in one
   * @throws HalcyonError `invalid_request`: it proves nothing, the message says why; `unavailable`: try again
   */
  async verify(text: string, expected: ExpectedProof = {}, options?: CallOptions): Promise<VerifiedProofOfFunds> {
    checkText("proofOfFunds", text);
    checkInput(expected, { for: "text", challenge: "text" });
    const { verifyProofOfFunds } = await import("./lazy-calls");
    return verifyProofOfFunds(this.context.within(options), text, expected);
  }
}
