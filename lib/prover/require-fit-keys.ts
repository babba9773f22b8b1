import { liveKeysFault } from "@/circuits/build/live-keys-fault";
import { type Env, env } from "@/lib/base/env";
import { EnvError } from "@/lib/base/env-secrets";
import { repositoryRoot } from "./artifact-files";

/**
 * Stops a process from starting if it would serve the public live chain with development keys. People who took part in
 * creating those may be able to forge proofs (docs/ceremony.md). Local chains hold no real money.
 *
 * @param root the folder whose `circuits/` contains the keys
 * @throws EnvError that names the problem and what to do
 */
export function requireFitKeys(chains: Env["chains"] = env().chains, root: string = repositoryRoot()): void {
  if (chains.live.local) return;
  const fault = liveKeysFault(root);
  if (fault === null) return;
  throw new EnvError(
    `RPC_URL_4663 is a public chain, but the proving keys here are not fit for real money: ${fault}. Install keys of a ` +
      "multi-party ceremony first (docs/ceremony.md), or leave RPC_URL_4663 to the local stack.",
  );
}
