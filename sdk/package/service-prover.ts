import { createInThreadProver } from "@/lib/prover/in-thread";
import { FileCircuits } from "../file-circuits";
import { serviceCircuits } from "../service-circuits";

export const inThread = (url: string, fetchWith: typeof fetch, directory: string) =>
  createInThreadProver(serviceCircuits(url, fetchWith, new FileCircuits(directory))).prove;
