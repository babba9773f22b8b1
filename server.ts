/*
 * The thin server in front of Next.js. First, every request is normalized (lib/http/front.ts). Next.js handles some
 * requests badly, and drops the body of a GET. Below /v1 and /api this server refuses those in our error format, or
 * passes the body on (docs/contract-notes.md "Transport"). It calls the route handlers below /v1, and those that anyone
 * may call, directly, without Next.js's router, which costs more than most handlers. lib/http/web-front.ts is what it
 * does with a request.
 */
import { createServer } from "node:http";
import path from "node:path";
import next from "next";
import { publishedRpcOrigins } from "@/lib/accounts/networks/published-rpc";
import { flushRequests } from "@/lib/accounts/request-log/flush-requests";
import { flushKeyUse } from "@/lib/accounts/usage/flush-key-use";
import { env, requireWebSecrets } from "@/lib/base/env";
import { logConsole, logWarnings } from "@/lib/base/telemetry/console-log";
import { log } from "@/lib/base/telemetry/log";
import { startTelemetry, stopTelemetry } from "@/lib/base/telemetry/otel/start";
import { decryptSecretVariables } from "@/lib/chain/kms/open-secrets";
import { endStreams } from "@/lib/events/stream/open-streams";
import { Admission } from "@/lib/http/admission";
import { ArrivingBodies } from "@/lib/http/arriving-bodies";
import { askInside } from "@/lib/http/ask-inside";
import { directHandlers } from "@/lib/http/direct-handlers";
import { docsPages } from "@/lib/http/docs/docs-pages";
import { missingFiles } from "@/lib/http/missing-files";
import { packedFiles } from "@/lib/http/packed-files";
import { PageLimit } from "@/lib/http/page-limit";
import { readRoutePatterns } from "@/lib/http/route-patterns";
import { DIRECT_PATHS } from "@/lib/http/routes";
import { pagePolicy, securityHeaders, WALLETCONNECT_ORIGINS } from "@/lib/http/security-headers";
import { sharedResponses } from "@/lib/http/shared-responses";
import { sharedTargets } from "@/lib/http/shared-targets";
import { webFront } from "@/lib/http/web-front";
import { createWebServer, WEB_SERVER_LIMITS } from "@/lib/http/web-server";
import { requireFitKeys } from "@/lib/prover/require-fit-keys";
import { requireMatchingVerifiers } from "@/lib/worker/health/require-matching-verifiers";
import { announceStop, isStopping } from "@/lib/worker/health/stopping";

let draining = false;

const development = process.env.NODE_ENV === "development";
// In development, people need Next.js's messages about their code.
if (!development) {
  logConsole();
  logWarnings();
}
await decryptSecretVariables();
requireWebSecrets(env());
requireFitKeys();
await requireMatchingVerifiers();

await startTelemetry("web");
const patternOf = readRoutePatterns(path.join(import.meta.dirname, "app"));

const { host, port, origin, trustedProxies, walletConnectProjectId, shutdown, requestsInFlight } = env();
const https = origin.startsWith("https:");
const common = securityHeaders(https);
const connect = [...publishedRpcOrigins(), ...(walletConnectProjectId ? WALLETCONNECT_ORIGINS : [])];
// Next.js listens for upgrades on the server it is given, and closes connections that request one. This server gets no
// requests.
const httpServer = development ? undefined : createServer();
const app = next({ dev: development, hostname: host, port, dir: import.meta.dirname, httpServer });
await app.prepare();
const handle = app.getRequestHandler();

// In development, Next.js compiles a route when it changes.
const handlerOf = development
  ? undefined
  : await directHandlers(DIRECT_PATHS, (await import("@/app/load-route-handlers")).loadRouteHandlers);

// Development has no build whose files could be served, and its pages change.
const dist = path.join(import.meta.dirname, process.env.HALCYON_DIST ?? ".next");
const servePacked = development ? undefined : packedFiles(dist);
const isMissing = development ? undefined : missingFiles(dist, path.join(import.meta.dirname, "public"));
const serveShared = development
  ? undefined
  : sharedResponses(askInside(handle), sharedTargets(docsPages), (hashes) =>
      pagePolicy({ hashes }, { https, development, connect }),
    );

const serve = webFront({
  origin,
  trustedProxies,
  development,
  connect,
  handle,
  patternOf,
  handlerOf,
  servePacked,
  serveShared,
  isMissing,
  admission: new Admission(requestsInFlight),
  bodies: new ArrivingBodies(),
  pages: new PageLimit(),
});
let active = 0;
const server = createWebServer(WEB_SERVER_LIMITS, { headers: common, origin }, (request, response) => {
  active += 1;
  response.once("close", () => {
    active -= 1;
    if (draining && active === 0) server.closeAllConnections();
  });
  // A client with an open connection has to reconnect, and so reaches another process.
  if (isStopping()) response.setHeader("Connection", "close");
  for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
  serve(request, response);
});

// The development server notifies the browser of changes over a WebSocket.
if (development) server.on("upgrade", app.getUpgradeHandler());

// Next.js only logs what no one catches, so the process would go on without listening.
const refuseStart = ({ message }: Error) => {
  process.stderr.write(`The web server can't listen on HOST ${host}, PORT ${port}: ${message}\n`);
  process.exit(1);
};
server.once("error", refuseStart);
server.listen(port, host, () => {
  server.off("error", refuseStart);
  log().info({ host, port }, "web server listening");
});

/** Stops accepting connections. Ends the process once every request in progress has its response. */
function drain(): void {
  if (draining) return;
  draining = true;
  endStreams();
  log().info("web server draining");
  server.close(() => {
    // All requests have their responses. Next.js's own close() never returns, and it has nothing left to do.
    Promise.allSettled([flushKeyUse(), flushRequests(), stopTelemetry()]).finally(() => process.exit(0));
  });
  // The supervisor of `npm start` starts the next process as soon as the ports are free.
  if (process.send) void stopTelemetry().then(() => process.send?.("draining", () => {}));
  // Browsers keep connections open that never carried a request. Node does not count those as idle.
  if (active === 0) server.closeAllConnections();
  setTimeout(() => server.closeAllConnections(), shutdown.drainMs).unref();
}

/** Reports as not ready, and keeps serving until the load balancer has noticed. A second signal does not wait. */
function stop(signal: string): void {
  log().info({ signal }, "web server about to stop");
  const wait = isStopping() ? 0 : shutdown.noticeMs;
  announceStop();
  setTimeout(drain, wait);
}
process.on("SIGTERM", () => stop("SIGTERM"));
process.on("SIGINT", () => stop("SIGINT"));
