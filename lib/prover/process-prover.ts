import { env } from "@/lib/env";
import { gauge, measure } from "@/lib/telemetry/record";
import { inSpan } from "@/lib/telemetry/span";
import type { Prover } from "./prover";
import { createServerProver } from "./server";

// Next bundles routes separately: one pool per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & { halcyonProver?: Promise<Prover> };

/** The process's prover. Its threads start at the first call and stay warm. */
export function processProver(): Promise<Prover> {
  shared.halcyonProver ??= observedProver();
  return shared.halcyonProver;
}

async function observedProver(): Promise<Prover> {
  const pool = await createServerProver({
    workers: env().proverWorkers,
    queueLimit: env().proverQueue,
    onDone({ kind, circuit, waitedMs, ranMs, outcome }) {
      measure("halcyon.proof.wait", waitedMs / 1000, { circuit, kind });
      measure("halcyon.proof.duration", ranMs / 1000, { circuit, kind, outcome });
    },
  });
  gauge("halcyon.prover.jobs", () => {
    const { waiting, running } = pool.load();
    return [
      [waiting, { state: "waiting" }],
      [running, { state: "running" }],
    ];
  });
  return {
    prove: (circuit, input) => inSpan("prove", { "halcyon.circuit": circuit }, () => pool.prove(circuit, input)),
    verify: (circuit, proof, signals) =>
      inSpan("verify", { "halcyon.circuit": circuit }, () => pool.verify(circuit, proof, signals)),
    close: () => pool.close(),
  };
}

/** Ends its threads; for scripts and a process that stops. */
export async function closeProver(): Promise<void> {
  const prover = shared.halcyonProver;
  shared.halcyonProver = undefined;
  await (await prover)?.close();
}
