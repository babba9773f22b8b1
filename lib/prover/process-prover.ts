import { env } from "@/lib/env";
import type { Prover } from "./prover";
import { createServerProver } from "./server";

// Next bundles routes separately: one pool per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & { halcyonProver?: Promise<Prover> };

/** The process's prover. Its threads start at the first call and stay warm. */
export function processProver(): Promise<Prover> {
  shared.halcyonProver ??= createServerProver({
    workers: env().proverWorkers,
    queueLimit: env().proverQueue,
  });
  return shared.halcyonProver;
}

/** Ends its threads; for scripts and a process that stops. */
export async function closeProver(): Promise<void> {
  const prover = shared.halcyonProver;
  shared.halcyonProver = undefined;
  await (await prover)?.close();
}
