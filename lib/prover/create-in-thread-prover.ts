import type { ArtifactSource, Prover } from "./prover";
import { ProverEngine } from "./prover-engine";

/** A prover in the calling thread, which it blocks while it proves. Circuits are read at first use. */
export function createInThreadProver(artifacts: ArtifactSource): Prover {
  let engine: Promise<ProverEngine> | undefined;
  const started = () => {
    engine ??= ProverEngine.build(artifacts);
    return engine;
  };
  return {
    prove: async (circuit, input) => (await started()).prove(circuit, input),
    verify: async (circuit, proof, publicSignals) => (await started()).verify(circuit, proof, publicSignals),
    close: async () => {
      engine = undefined;
    },
  };
}
