import type { ProofResult } from "@/lib/ledger/prepare/witness";
import { createBrowserProver } from "@/lib/prover/create-browser-prover";
import { transferPlan } from "./transfer-plan";

/** Runs inside a page in the browser test: plans, proves and checks a payment there, then tampers with it. */
export async function proveInPage() {
  const prover = createBrowserProver();
  try {
    const { call, input } = await transferPlan();
    const proven: ProofResult = await prover.prove("transfer", input);
    const verify = (signals: bigint[]) => prover.verify("transfer", proven.proof, signals);
    const refused = await prover.prove("transfer", { ...input, amount: 1n }).catch((error: Error) => error.name);
    return {
      proof: proven.proof,
      publicSignals: proven.publicSignals.map(String),
      expected: call.publicSignals.map(String),
      verified: await verify(proven.publicSignals),
      tampered: await verify(proven.publicSignals.with(2, 1n)),
      refused,
    };
  } finally {
    await prover.close();
  }
}
