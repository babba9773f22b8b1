import type { Hex } from "viem";
import { ProofMismatch } from "../crypto/errors";
import type { Scope } from "../crypto/scope";
import { type DocumentCall, documentCall } from "./document-call";
import type { Draft, SignedDocument } from "./documents";
import type { Signer } from "./key-signer";
import type { CircuitInput, ProofResult, Prove } from "./witness";

/**
 * A planned payment or move to the available balance, not yet proved or signed. The witness input contains amounts and
 * salts: pass it to the prover and nowhere else.
 */
export interface Plan<D extends SignedDocument> {
  draft: Draft<D>;
  call: DocumentCall;
  input: CircuitInput;
}

/**
 * Completes a draft to a plan.
 *
 * @param input every signal of the circuit except ctx
 */
export function makePlan<D extends SignedDocument>(scope: Scope, draft: Draft<D>, input: CircuitInput): Plan<D> {
  const call = documentCall(scope, draft as Draft<SignedDocument>);
  const ctx = call.publicSignals.at(-1) ?? 0n;
  return { draft, call, input: { ...input, ctx } };
}

/**
 * Returns the document: the draft with its proof and signature.
 *
 * @throws ProofMismatch if the proof is for other public signals
 */
export function finishPlan<D extends SignedDocument>(plan: Plan<D>, proven: ProofResult, signature: Hex): D {
  const expected = plan.call.publicSignals;
  const same =
    proven.publicSignals.length === expected.length &&
    expected.every((signal, index) => signal === proven.publicSignals[index]);
  if (!same) throw new ProofMismatch();
  // A draft is a document without these two fields, but TypeScript can't infer that for the union.
  return { ...plan.draft, proof: proven.proof, signature } as unknown as D;
}

/**
 * Proves and signs a plan.
 *
 * @throws ProofMismatch; what `prove` and `sign` throw
 */
export async function completePlan<D extends SignedDocument>(plan: Plan<D>, prove: Prove, sign: Signer): Promise<D> {
  const proven = await prove(plan.call.circuit, plan.input);
  const { digest, typedData } = plan.call;
  return finishPlan(plan, proven, await sign({ digest, typedData }));
}
