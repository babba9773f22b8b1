import { createServer } from "node:http";
import { availableParallelism } from "node:os";
import { proverEnv } from "@/lib/prover-env";
import { log } from "@/lib/telemetry/log";
import { startTelemetry, stopTelemetry } from "@/lib/telemetry/otel/start";
import { createServerProver } from "./create-server-prover";
import { observePool, reportJob } from "./observe-pool";
import { createProverServer, currentTurn } from "./serve-prover";

// The prover process. It makes proofs for the servers that hold PROVER_SIGNER's private key, and has access to no
// database, chain or user key.
const {
  host,
  port,
  healthPort,
  metrics,
  shutdown,
  workers = availableParallelism(),
  // A server waits eight seconds for a proof. A longer queue would produce proofs that no one is waiting for.
  queue = 8 * workers,
  ...settings
} = proverEnv();
await startTelemetry("prover", { metrics });
const pool = await createServerProver({ workers, queueLimit: queue, accountOf: currentTurn, onDone: reportJob });
observePool(pool);
const server = createProverServer(pool, settings);
let stopping = false;
// Servers keep their connections open. While this process stops, each connection closes after its response, so the next
// request goes to another prover.
server.prependListener("request", (_, response) => {
  if (stopping) response.setHeader("connection", "close");
});

/** Plain HTTP for health probes. Says only whether the process takes work. */
const health = createServer((request, response) => {
  const ok = request.url === "/healthz" || (request.url === "/readyz" && !stopping);
  response
    .writeHead(ok ? 200 : 503, { "content-type": "application/json" })
    .end(`{"status":"${ok ? "ok" : "stopping"}"}`);
});
if (healthPort !== undefined) health.listen(healthPort, host);
server.listen(port, host, () => log().info({ host, port }, "prover listening"));

function drain(): void {
  server.close(async () => {
    await pool.close();
    await stopTelemetry();
    log().info("prover stopped");
    process.exit(0);
  });
  server.closeIdleConnections();
  setTimeout(() => process.exit(1), shutdown.drainMs).unref();
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    const wait = stopping ? 0 : shutdown.noticeMs;
    stopping = true;
    setTimeout(drain, wait);
  });
}
