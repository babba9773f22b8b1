import { createServer } from "node:http";
import { proverEnv } from "@/lib/env";
import { log } from "@/lib/telemetry/log";
import { startTelemetry, stopTelemetry } from "@/lib/telemetry/otel/start";
import { createServerProver } from "./create-server-prover";
import { observePool, reportJob } from "./observe-pool";
import { createProverServer, currentTurn } from "./serve-prover";

// The prover process: it makes proofs for the servers of PROVER_SIGNER, and knows no database, chain or key of anyone.
const { host, port, healthPort, metrics, shutdown, workers, queue, ...settings } = proverEnv();
await startTelemetry("prover", { metrics });
const pool = await createServerProver({ workers, queueLimit: queue, accountOf: currentTurn, onDone: reportJob });
observePool(pool);
const server = createProverServer(pool, settings);
let stopping = false;

/** Plain HTTP, for probes: it says whether the process takes work, and nothing else. */
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
