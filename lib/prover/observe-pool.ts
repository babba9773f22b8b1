import { gauge, measure } from "@/lib/base/telemetry/record";
import type { JobReport, WorkerPool } from "./worker-pool";

/** Records metrics of a finished job. */
export function reportJob({ kind, circuit, waitedMs, ranMs, outcome }: JobReport): void {
  measure("halcyon.proof.wait", waitedMs / 1000, { circuit, kind });
  measure("halcyon.proof.duration", ranMs / 1000, { circuit, kind, outcome });
}

/** Publishes how many jobs wait in this process's pool. Autoscaling of web processes uses it. */
export function observePool(pool: WorkerPool): void {
  gauge("halcyon.prover.jobs", () => {
    const { waiting, running } = pool.load();
    return [
      [waiting, { state: "waiting" }],
      [running, { state: "running" }],
    ];
  });
}
