import { createInThreadProver } from "./create-in-thread-prover";
import type { ArtifactSource, Prover } from "./prover";
import { serveJobs } from "./serve-jobs";

/** The content of each circuit's file, by name; put in when this is built. */
declare const CIRCUIT_HASHES: Readonly<Record<string, string>>;

/** Under the name of their content: loaded once, and never those of another release. */
const artifacts: ArtifactSource = {
  read: async (file) => {
    const response = await fetch(`/circuits/${CIRCUIT_HASHES[file]}-${file}`, { credentials: "omit" });
    if (!response.ok) throw new Error("a circuit could not be loaded");
    return new Uint8Array(await response.arrayBuffer());
  },
};

/** A shared worker, which has no workers of its own, loads this script and proves in its own thread. */
const shared = globalThis as { onconnect?: unknown; halcyonProver?: () => Prover };
if ("onconnect" in shared) shared.halcyonProver = () => createInThreadProver(artifacts);
else serveJobs(artifacts);
