import type { ArtifactSource, Prover } from "./prover";
import { ProverEngine } from "./prover-engine";

/** Creates a prover that runs in the calling thread and blocks it while proving. Reads circuits at first use. */
export function createInThreadProver(artifacts: ArtifactSource): Prover {
  let engine: Promise<ProverEngine> | undefined;
  const started = () => {
    engine ??= ProverEngine.build(artifacts);
    return engine;
  };
  return {
    prove: async (circuit, input) => (await started()).prove(circuit, input),
    verify: async (circuit, proof, publicSignals) => (await started()).verify(circuit, proof, publicSignals),
    // Who loads ahead pays often, so that the key's tables pay off.
    loadAhead: async (circuit) => (await started()).addTables(circuit),
    close: async () => {
      engine = undefined;
    },
  };
}
