import { fileURLToPath } from "node:url";
import { createInThreadProver } from "@/lib/prover/create-in-thread-prover";
import type { Prover } from "@/lib/prover/prover";
import { FileCircuits } from "../context/platform/file-circuits";
import { serviceCircuits } from "../context/platform/service-circuits";

/** The circuits of a recovery, which come with the package: without the service there is no one to get them from. */
const PACKAGED = fileURLToPath(new URL("../circuits", import.meta.url));

/** The provers of this process, by the place of their circuits: several clients need not load them several times. */
const provers = new Map<string, Prover>();

export function inThreadProver(url: string, fetchWith: typeof fetch, directory: string): Prover {
  const place = JSON.stringify([url, directory]);
  const known = provers.get(place);
  if (known) return known;
  const prover = createInThreadProver(serviceCircuits(url, fetchWith, new FileCircuits(directory, PACKAGED)));
  provers.set(place, prover);
  return prover;
}
