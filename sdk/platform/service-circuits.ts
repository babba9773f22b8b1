import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { circuits } from "@/circuits/manifest.json";
import type { ArtifactSource } from "@/lib/prover/prover";
import { HalcyonError } from "../api/errors";

/** Keeps circuits between runs, by the hash of what they hold. What it gives back is checked again. */
export interface CircuitCache {
  get(hash: string): Promise<Uint8Array | undefined>;
  put(hash: string, circuit: Uint8Array): Promise<void>;
}

/** SHA-256 of `transfer.witness` and its like, as they were when this was built. */
function hashOf(file: string): string | undefined {
  const [, name, kind] = /^([\w-]+)\.(witness|zkey|vkey)(?:\.json)?$/.exec(file) ?? [];
  const known: Record<string, Record<string, unknown>> = circuits;
  const hash = name && kind && Object.hasOwn(known, name) ? known[name]?.[kind] : undefined;
  return typeof hash === "string" ? hash : undefined;
}

/**
 * The circuits of a service, each only if it is the very one this client was built with: a false one could prove something
 * else than what its owner meant, or reveal what its owner keeps secret.
 *
 * @param url of the service
 */
export function serviceCircuits(url: string, fetchWith: typeof fetch, cache?: CircuitCache): ArtifactSource {
  const load = async (file: string): Promise<Uint8Array> => {
    const response = await fetchWith(`${url}/circuits/${file}`, { credentials: "omit" }).catch((error: unknown) => {
      if (error instanceof HalcyonError) throw error;
      return undefined;
    });
    if (response?.ok) return new Uint8Array(await response.arrayBuffer());
    throw new HalcyonError("unavailable", `The service does not give out the circuit ${file}. Try again.`);
  };
  return {
    async read(file) {
      const hash = hashOf(file);
      if (hash === undefined) throw new HalcyonError("internal", `There is no circuit ${file}.`);
      const kept = await cache?.get(hash);
      if (kept && bytesToHex(sha256(kept)) === hash) return kept;
      const circuit = await load(file);
      if (bytesToHex(sha256(circuit)) !== hash) {
        throw new HalcyonError(
          "unavailable",
          `The service's circuit ${file} is not the one this version of the client knows. Install the version made for it.`,
        );
      }
      await cache?.put(hash, circuit);
      return circuit;
    },
  };
}
