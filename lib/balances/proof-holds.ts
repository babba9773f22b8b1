import type { Scope } from "@/lib/ledger/crypto/scope";
import type { PreparedDocument } from "@/lib/ledger/prepare/documents";
import { preparedCall } from "@/lib/ledger/prepare/prepared-call";
import { processProver } from "@/lib/prover/process-prover";

/** Reports whether the proof of a client's document holds for what the document says. */
export async function proofHolds(scope: Scope, document: PreparedDocument): Promise<boolean> {
  const { circuit, publicSignals } = preparedCall(scope, document);
  return (await processProver()).verify(circuit, document.proof, publicSignals);
}
