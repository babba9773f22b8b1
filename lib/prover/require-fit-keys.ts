import { liveKeysFault } from "@/circuits/build/live-keys-fault";
import { type Env, EnvError, env } from "@/lib/env";
import { repositoryRoot } from "./artifact-files";

/**
 * Ends the start of a process that would serve the public live chain with development keys: those who took part in
 * making those may be able to forge proofs (docs/ceremony.md). Chains of the local stack hold no real money.
 *
 * @param root the folder whose `circuits/` holds the keys
 * @throws EnvError naming what is wrong with them and what to do
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
