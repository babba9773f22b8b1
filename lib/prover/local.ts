import { artifactFiles, repositoryRoot } from "./artifact-files";
import { ProverEngine } from "./engine";
import type { Prover } from "./prover";

/**
 * A prover in the calling thread, for programs that make a proof now and then (command line, tests). It blocks the
 * thread while it proves.
 *
 * @param root the repository's root, when the working directory lies outside of it
 */
export function createLocalProver(root: string = repositoryRoot()): Prover {
  let engine: Promise<ProverEngine> | undefined;
  const started = () => {
    engine ??= ProverEngine.build(artifactFiles(root));
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
