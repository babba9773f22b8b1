import { closeDb } from "@/db/client";
import { env } from "@/lib/base/env";
import { log } from "@/lib/base/telemetry/log";
import { startTelemetry, stopTelemetry } from "@/lib/base/telemetry/otel/start";
import { gauge } from "@/lib/base/telemetry/record";
import { broadcastsDone } from "@/lib/chain/broadcast";
import { decryptSecretVariables } from "@/lib/chain/kms/open-secrets";
import { requireFitKeys } from "@/lib/prover/require-fit-keys";
import { requireMatchingVerifiers } from "@/lib/worker/health/require-matching-verifiers";
import { serveHealth } from "@/lib/worker/health/serve-health";
import { announceStop } from "@/lib/worker/health/stopping";
import { Heartbeat } from "./heartbeat";
import { readServiceGauges } from "./read-service-gauges";
import { runWorker } from "./run-worker";

await decryptSecretVariables();

// The worker process. After a first signal, it finishes the steps under way and exits.
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    announceStop();
    stop.abort();
    // A step that hangs is treated like one that was killed: the next worker does it again.
    setTimeout(() => process.exit(1), env().shutdown.drainMs).unref();
  });
}

requireFitKeys();
await requireMatchingVerifiers();
const { healthPort, host } = env();
const heartbeat = new Heartbeat();
const health = healthPort === undefined ? undefined : await serveHealth(healthPort, host, heartbeat);
await startTelemetry("worker");
readServiceGauges();
gauge("halcyon.worker.heartbeat_age", () => {
  const age = heartbeat.age();
  return age === undefined ? [] : [[age, {}]];
});
log().info("worker started");
await runWorker(stop.signal, heartbeat);
health?.close();
health?.closeAllConnections();
await broadcastsDone();
await stopTelemetry();
await closeDb();
log().info("worker stopped");
