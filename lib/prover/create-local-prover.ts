import { artifactFiles, repositoryRoot } from "./artifact-files";
import { createInThreadProver } from "./create-in-thread-prover";
import type { Prover } from "./prover";

/**
 * Creates a prover that runs in the calling thread with the repository's own circuits, for programs that prove only
 * occasionally (command line, tests).
 *
 * @param root the repository's root, if the working directory is outside of it
 */
export function createLocalProver(root: string = repositoryRoot()): Prover {
  return createInThreadProver(artifactFiles(root));
}
