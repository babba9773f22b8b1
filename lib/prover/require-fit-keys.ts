import manifest from "@/circuits/manifest.json";
import { type Env, EnvError, env } from "@/lib/env";

/**
 * Ends the start of a process that would serve the public live chain with development keys: whoever took part in
 * making those may be able to forge proofs (docs/ceremony.md). Chains of the local stack hold no real money.
 *
 * @throws EnvError naming what to do
 */
export function requireFitKeys(chains: Env["chains"] = env().chains, development = manifest.development): void {
  if (!development || chains.live.local) return;
  throw new EnvError(
    "RPC_URL_4663 is a public chain, but the proving keys here are for development. Install keys of a multi-party " +
      "ceremony first (docs/ceremony.md), or leave RPC_URL_4663 to the local stack.",
  );
}
