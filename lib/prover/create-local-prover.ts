import { artifactFiles, repositoryRoot } from "./artifact-files";
import { createInThreadProver } from "./create-in-thread-prover";
import type { Prover } from "./prover";

/**
 * A prover in the calling thread with the repository's own circuits, for programs that make a proof now and then
 * (command line, tests).
 *
 * @param root the repository's root, when the working directory lies outside of it
 */
export function createLocalProver(root: string = repositoryRoot()): Prover {
  return createInThreadProver(artifactFiles(root));
}
