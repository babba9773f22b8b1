import { createInThreadProver } from "./create-in-thread-prover";
import type { ArtifactSource, Prover } from "./prover";
import { serveJobs } from "./serve-jobs";

/** The content hash of each circuit's file, by name; inserted at build time. */
declare const CIRCUIT_HASHES: Readonly<Record<string, string>>;

/**
 * Fetches files under the hash of their content, so that each is cached for good and never mixes with those of another
 * release.
 */
const artifacts: ArtifactSource = {
  read: async (file) => {
    const response = await fetch(`/circuits/${CIRCUIT_HASHES[file]}-${file}`, { credentials: "omit" });
    if (!response.ok) throw new Error("a circuit could not be loaded");
    return new Uint8Array(await response.arrayBuffer());
  },
};

/** A shared worker can't start workers. It loads this script and proves in its own thread. */
const shared = globalThis as { onconnect?: unknown; halcyonProver?: () => Prover };
if ("onconnect" in shared) shared.halcyonProver = () => createInThreadProver(artifacts);
else serveJobs(artifacts);
