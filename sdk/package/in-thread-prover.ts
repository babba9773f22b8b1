import { fileURLToPath } from "node:url";
import { createInThreadProver } from "@/lib/prover/create-in-thread-prover";
import { FileCircuits } from "../context/platform/file-circuits";
import { serviceCircuits } from "../context/platform/service-circuits";

/** The circuits of a recovery, which come with the package: without the service there is no one to get them from. */
const PACKAGED = fileURLToPath(new URL("../circuits", import.meta.url));

export const inThreadProver = (url: string, fetchWith: typeof fetch, directory: string) =>
  createInThreadProver(serviceCircuits(url, fetchWith, new FileCircuits(directory, PACKAGED)));
