import { createServer, type Server } from "node:http";
import { isAlive } from "./is-alive";
import { readiness } from "./readiness";

/** The report of each path, with the same meaning as on a web process. */
const REPORTS: Record<string, () => Promise<{ ok: boolean; body: unknown }>> = {
  "/healthz": async () => {
    const alive = await isAlive();
    return { ok: alive, body: { status: alive ? "ok" : "stuck" } };
  },
  "/readyz": async () => {
    const { ready, parts } = await readiness();
    return { ok: ready, body: { status: ready ? "ready" : "unavailable", parts } };
  },
};

/**
 * Serves `/healthz` and `/readyz` for a process that serves nothing else, so that an orchestrator can check a worker
 * like a web process. Resolves once it listens.
 */
export function serveHealth(port: number, host: string): Promise<Server> {
  const server = createServer((request, response) => {
    const report = REPORTS[request.url ?? ""];
    const respond = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
      response.end(JSON.stringify(body));
    };
    if (!report || request.method !== "GET") return respond(404, { status: "not_found" });
    void report().then(
      ({ ok, body }) => respond(ok ? 200 : 503, body),
      () => respond(503, { status: "unavailable" }),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}
