import type { CallOptions } from "../api/call-options";
import { checkInput, checkText, type FieldsOf } from "../api/check-input";
import type { ExpectedProof, VerifiedProofOfFunds } from "../proofs-of-funds/check-proof-of-funds";
import type { CreateProofOfFundsInput, MadeProofOfFunds } from "../proofs-of-funds/create-proof-of-funds";
import type { ProofOfFundsPreview } from "../proofs-of-funds/preview-proof-of-funds";
import type { ProofOfFundsInput } from "../proofs-of-funds/request-of";
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
 * Proofs that the account holds at least a sum, each for one verifier: `halcyon.proofsOfFunds`. Few programs need them, so
 * their code is loaded with the first call.
 */
export class ProofsOfFundsResource extends Resource {
  /**
   * Says what a proof would show, to whom, and what was shown before. Show it to the account's owner before `create`. Nothing
   * is proved and the balance is not looked at. Needs the wallet.
   *
   * @throws HalcyonError `invalid_request` for an amount that is not 1, 2 or 5 times a power of ten, and for texts or times
   * that no proof may have
   */
  async preview(input: ProofOfFundsInput, options?: CallOptions): Promise<ProofOfFundsPreview> {
    checkInput(input, FIELDS);
    const { previewProofOfFunds } = await import("./rare-calls");
    return previewProofOfFunds(this.context.within(options), input);
  }

  /**
   * Creates a proof that the account, without its agents, holds at least `atLeast` of an asset. It is made for one verifier
   * and names it, and the record of what was shown to whom is kept, encrypted, with the account. Needs the wallet.
   *
   * @example
   * const { url } = await halcyon.proofsOfFunds.create({ atLeast: "5000", for: "North Bank", purpose: "Lease" });
   * @throws HalcyonError `invalid_request` as `preview`, and with `param` `again` when this verifier saw a lower minimum in
   * the last 30 days; `unavailable` when no proof was made, for whatever reason
   */
  async create(input: CreateProofOfFundsInput, options?: CallOptions): Promise<MadeProofOfFunds> {
    checkInput(input, { ...FIELDS, again: "flag" });
    const { createProofOfFunds } = await import("./rare-calls");
    return createProofOfFunds(this.context.within(options), input);
  }

  /**
   * Checks a proof of funds against the chain. Needs neither wallet nor API key. Compare `verifier` with your own name, or
   * pass it: a proof that was made for another one was passed on.
   *
   * @param text `hcf1_…`, or a link that ends in one
   * @throws HalcyonError `invalid_request`: it proves nothing, the message says why; `unavailable`: try again
   */
  async verify(text: string, expected: ExpectedProof = {}, options?: CallOptions): Promise<VerifiedProofOfFunds> {
    checkText("proofOfFunds", text);
    checkInput(expected, { for: "text", challenge: "text" });
    const { verifyProofOfFunds } = await import("./rare-calls");
    return verifyProofOfFunds(this.context.within(options), text, expected);
  }
}
