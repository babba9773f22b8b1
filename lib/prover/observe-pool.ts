import { gauge, measure } from "@/lib/telemetry/record";
import type { JobReport, WorkerPool } from "./worker-pool";

/** Counts a job of a pool that ended. */
export function reportJob({ kind, circuit, waitedMs, ranMs, outcome }: JobReport): void {
  measure("halcyon.proof.wait", waitedMs / 1000, { circuit, kind });
  measure("halcyon.proof.duration", ranMs / 1000, { circuit, kind, outcome });
}

/** Shows what waits in this process's pool: provers and web processes scale by it. */
export function observePool(pool: WorkerPool): void {
  gauge("halcyon.prover.jobs", () => {
    const { waiting, running } = pool.load();
    return [
      [waiting, { state: "waiting" }],
      [running, { state: "running" }],
    ];
  });
}
