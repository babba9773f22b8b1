import type { CircuitInput, CircuitName, ProofResult } from "@/lib/ledger/prepare/witness";
import { inSpan } from "@/lib/telemetry/in-span";
import { log } from "@/lib/telemetry/log";
import { count } from "@/lib/telemetry/record";
import { type CheckingProver, type Prover, ProverBusy } from "./prover";
import type { RemoteProver } from "./remote-prover";

/**
 * Creates a prover that has proofs made by the fleet and verifies each of them locally. If the fleet can't make a proof
 * (it is full, unreachable, or reports that there is none), this process makes it, limited by its own queue.
 */
export function preferRemote(remote: RemoteProver, local: CheckingProver): CheckingProver {
  async function proveThere(circuit: CircuitName, input: CircuitInput): Promise<ProofResult | undefined> {
    if (!remote.isThere()) return undefined;
    try {
      const attributes = { "halcyon.circuit": circuit };
      const proven = await inSpan("prove", attributes, () => remote.prove(circuit, input));
      count("halcyon.prover.remote", { outcome: "made" });
      return proven;
    } catch (error) {
      const isBusy = error instanceof ProverBusy;
      count("halcyon.prover.remote", { outcome: isBusy ? "busy" : "failed" });
      if (!isBusy) log().warn({ err: error }, "a proof is made in this process: the prover did not");
      return undefined;
    }
  }

  async function checked(circuit: CircuitName, { proof, publicSignals }: ProofResult): Promise<boolean> {
    const holds = await local.verify(circuit, proof, publicSignals);
    if (!holds) lied(circuit);
    return holds;
  }

  function lied(circuit: CircuitName): void {
    remote.distrust();
    count("halcyon.prover.remote", { outcome: "wrong" });
    log().error({ circuit }, "a prover returned a proof that does not hold");
  }

  return {
    async prove(circuit, input) {
      const proven = await proveThere(circuit, input);
      if (proven && (await checked(circuit, proven))) return proven;
      return local.prove(circuit, input);
    },
    async proveAndVerify(circuit, input, signals) {
      const proven = await proveThere(circuit, input);
      const isOfIt = proven?.publicSignals.join() === signals.join();
      if (proven && !isOfIt) lied(circuit);
      if (!proven || !isOfIt) return local.proveAndVerify(circuit, input, signals);
      const verified = checked(circuit, proven);
      verified.catch(() => {});
      return { ...proven, verified };
    },
    verify: (circuit, proof, signals) => local.verify(circuit, proof, signals),
    async close() {
      remote.close();
      await (local as Prover).close();
    },
  };
}
