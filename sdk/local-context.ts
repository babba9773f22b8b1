import type { Prover } from "@/lib/prover/prover";
import type { Context } from "./context/context";
import { type HalcyonOptions, nodeContext } from "./context/platform/node-context";

let prover: Prover | undefined;

/** Returns the prover shared by all clients of this process, so that curve and circuits load only once. */
async function localProver(): Promise<Prover> {
  const { createLocalProver } = await import("@/lib/prover/create-local-prover");
  prover ??= createLocalProver();
  return prover;
}

/**
 * Returns the context of a program in this repository. It proves with the repository's own circuits, not with the
 * service's. The installed package has another one.
 */
export function localContext(options: HalcyonOptions): Context {
  return nodeContext(options, localProver);
}
