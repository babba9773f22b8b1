import { createServer, type Server } from "node:http";
import { stuckMs } from "@/db/client";
import { isAlive } from "./is-alive";
import { readiness } from "./readiness";
import { HEARTBEAT_SECONDS } from "./service-status";

/** What a worker's own loop says about it. */
interface Loop {
  /** Returns how many seconds ago it last recorded that it works; undefined before the first time. */
  age(): number | undefined;
  /** Returns for how many milliseconds it has done nothing. */
  stuckMs(): number;
}

/** Reports whether a worker works: like a web process, and by its own loop. */
async function healthz(loop: Loop): Promise<{ ok: boolean; body: unknown }> {
  const alive = await isAlive(async () => Math.max(loop.stuckMs(), await stuckMs()));
  return { ok: alive, body: { status: alive ? "ok" : "stuck" } };
}

/** Reports whether a worker settles payments. Before its first heartbeat it waits for a chain. */
async function readyz(loop: Loop): Promise<{ ok: boolean; body: unknown }> {
  const { ready, parts } = await readiness();
  const beats = (loop.age() ?? Number.POSITIVE_INFINITY) < HEARTBEAT_SECONDS;
  const ok = ready && beats;
  const worker = { state: beats ? "ok" : "no_heartbeat" };
  return { ok, body: { status: ok ? "ready" : "unavailable", parts: { ...parts, worker } } };
}

const REPORTS: Record<string, (loop: Loop) => Promise<{ ok: boolean; body: unknown }>> = {
  "/healthz": healthz,
  "/readyz": readyz,
};

/**
 * Serves `/healthz` and `/readyz` for a worker, so that an orchestrator can check it like a web process. Resolves once it
 * listens.
 */
export function serveHealth(port: number, host: string, loop: Loop): Promise<Server> {
  const server = createServer((request, response) => {
    const report = REPORTS[request.url ?? ""];
    const respond = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
      response.end(JSON.stringify(body));
    };
    if (!report || request.method !== "GET") return respond(404, { status: "not_found" });
    void report(loop).then(
      ({ ok, body }) => respond(ok ? 200 : 503, body),
      () => respond(503, { status: "unavailable" }),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}
