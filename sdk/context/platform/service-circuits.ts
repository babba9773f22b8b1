import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { circuits } from "@/circuits/manifest.json";
import type { ArtifactSource } from "@/lib/prover/prover";
import { HalcyonError } from "../../api/errors";

/** Stores circuits between runs, by the hash of their contents. What it returns is verified again. */
export interface CircuitCache {
  get(hash: string): Promise<Uint8Array | undefined>;
  put(hash: string, circuit: Uint8Array): Promise<void>;
}

/** Returns the SHA-256 of a circuit file such as `transfer.witness`, as of this build. */
function hashOf(file: string): string | undefined {
  const [, name, kind] = /^([\w-]+)\.(witness|zkey|vkey)(?:\.json)?$/.exec(file) ?? [];
  const known: Record<string, Record<string, unknown>> = circuits;
  const hash = name && kind && Object.hasOwn(known, name) ? known[name]?.[kind] : undefined;
  return typeof hash === "string" ? hash : undefined;
}

/**
 * Loads the circuits from a service, and accepts only the exact files this client was built with. A forged circuit
 * could prove something the owner did not intend, or reveal the owner's secrets.
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
          `The service's circuit ${file} is not the one this client knows. Install the version made for it.`,
        );
      }
      await cache?.put(hash, circuit);
      return circuit;
    },
  };
}
