import { currentAccount, giveWay } from "@/lib/base/current-account";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { inSpan } from "@/lib/base/telemetry/in-span";
import { gauge, measure } from "@/lib/base/telemetry/record";
import { createServerProver } from "./create-server-prover";
import { type CheckingProver, ProverBusy } from "./prover";
import type { JobReport, WorkerPool } from "./worker-pool";

// Next.js bundles routes separately, so a module variable would give one pool per bundle. A global gives one per
// process.
const shared = globalThis as typeof globalThis & { halcyonProver?: Promise<CheckingProver> };

/**
 * Returns the process's prover. Its threads start at the first call and keep running. Its methods throw ApiError
 * `unavailable` when the queue is full.
 */
export function processProver(): Promise<CheckingProver> {
  // The caller is about to wait for a proof or a verification, so another request of its account may start.
  giveWay();
  shared.halcyonProver ??= observedProver();
  return shared.halcyonProver;
}

async function observedProver(): Promise<CheckingProver> {
  const pool = await createServerProver({
    workers: env().proverWorkers,
    queueLimit: env().proverQueue,
    accountOf: currentAccount,
    onDone: reportJob,
  });
  observePool(pool);
  return inTime(pool);
}

/** Records spans of the pool's work, and turns a full queue into an error that asks the caller to try again. */
function inTime(pool: WorkerPool): CheckingProver {
  return {
    prove: (circuit, input) =>
      inSpan("prove", { "halcyon.circuit": circuit }, () => pool.prove(circuit, input).catch(orComeBack)),
    async proveAndVerify(circuit, input) {
      const attributes = { "halcyon.circuit": circuit };
      const proven = await inSpan("prove", attributes, () => pool.proveAndVerify(circuit, input).catch(orComeBack));
      const verified = inSpan("verify", attributes, () => proven.verified);
      verified.catch(() => {});
      return { ...proven, verified };
    },
    verify: (circuit, proof, signals) =>
      inSpan("verify", { "halcyon.circuit": circuit }, () => pool.verify(circuit, proof, signals).catch(orComeBack)),
    close: () => pool.close(),
  };
}

function orComeBack(error: unknown): never {
  if (!(error instanceof ProverBusy)) throw error;
  throw new ApiError("unavailable", "Too many proofs are being made and checked right now. Try again shortly.", {
    retryAfter: 1,
  });
}

/** Stops the prover's threads. For scripts, and for a process that stops. */
export async function closeProver(): Promise<void> {
  const prover = shared.halcyonProver;
  shared.halcyonProver = undefined;
  await (await prover)?.close();
}

/** Records metrics of a finished job. */
function reportJob({ kind, circuit, waitedMs, ranMs, outcome }: JobReport): void {
  measure("halcyon.proof.wait", waitedMs / 1000, { circuit, kind });
  measure("halcyon.proof.duration", ranMs / 1000, { circuit, kind, outcome });
}

/** Publishes how many jobs wait in this process's pool. Autoscaling of web processes uses it. */
function observePool(pool: WorkerPool): void {
  gauge("halcyon.prover.jobs", () => {
    const { waiting, running } = pool.load();
    return [
      [waiting, { state: "waiting" }],
      [running, { state: "running" }],
    ];
  });
}
