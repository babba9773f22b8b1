import { createInThreadProver } from "@/lib/prover/create-in-thread-prover";
import { FileCircuits } from "../platform/file-circuits";
import { serviceCircuits } from "../platform/service-circuits";

export const inThreadProver = (url: string, fetchWith: typeof fetch, directory: string) =>
  createInThreadProver(serviceCircuits(url, fetchWith, new FileCircuits(directory)));
