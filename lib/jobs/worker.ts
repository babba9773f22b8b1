import { closeDb } from "@/db/client";
import { env } from "@/lib/env";
import { requireFitKeys } from "@/lib/prover/require-fit-keys";
import { log } from "@/lib/telemetry/log";
import { startTelemetry, stopTelemetry } from "@/lib/telemetry/otel/start";
import { readServiceGauges } from "./read-service-gauges";
import { runWorker } from "./run-worker";

// The worker process: `tsx lib/jobs/worker.ts`. A first signal ends it after the steps under way.
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    stop.abort();
    // A step that hangs is as one that was killed: the next worker does it again.
    setTimeout(() => process.exit(1), env().shutdown.drainMs).unref();
  });
}

requireFitKeys();
await startTelemetry("worker");
readServiceGauges();
log().info("worker started");
await runWorker(stop.signal);
await stopTelemetry();
await closeDb();
log().info("worker stopped");
