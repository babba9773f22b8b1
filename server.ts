/*
 * The thin server in front of Next.js. First, every request is normalized (lib/http/front.ts). Next.js handles some
 * requests badly, and drops the body of a GET. Below /v1 and /api this server refuses those in our error format, or
 * passes the body on (docs/contract-notes.md "Transport"). It calls the route handlers below /v1, and those that anyone
 * may call, directly, without Next.js's router, which costs more than most handlers.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import next from "next";
import { publishedRpcOrigins } from "@/lib/accounts/networks/published-rpc";
import { flushKeyUse } from "@/lib/accounts/usage/flush-key-use";
import { setClientAddress } from "@/lib/base/client-address";
import { withClient } from "@/lib/base/client-left";
import { env, requireWebSecrets } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { setRequestedPage } from "@/lib/base/requested-page";
import { logConsole, logWarnings } from "@/lib/base/telemetry/console-log";
import { noteRequest } from "@/lib/base/telemetry/current-request";
import { log } from "@/lib/base/telemetry/log";
import { startTelemetry, stopTelemetry } from "@/lib/base/telemetry/otel/start";
import { decryptSecretVariables } from "@/lib/chain/kms/open-secrets";
import { endStreams } from "@/lib/events/stream/open-streams";
import { Admission, priorityOf } from "@/lib/http/admission";
import { ArrivingBodies, bodyReader } from "@/lib/http/arriving-bodies";
import { askInside } from "@/lib/http/ask-inside";
import { directHandlers } from "@/lib/http/direct-handlers";
import { docsPages } from "@/lib/http/docs/docs-pages";
import { type Door, doorOf, NOWHERE } from "@/lib/http/doors";
import { errorBody, errorHeaders } from "@/lib/http/error-body";
import { admit, isApiPath, NOT_FOUND_PAGE, refuse, refusePage } from "@/lib/http/front";
import { type LimitHeaders, refusalOfSpent } from "@/lib/http/limits";
import { missingFiles } from "@/lib/http/missing-files";
import { observeRequest } from "@/lib/http/observe-request";
import { packedFiles } from "@/lib/http/packed-files";
import { PageLimit } from "@/lib/http/page-limit";
import { isPlain } from "@/lib/http/plain-response";
import { type ReadRawBody, withRawBody } from "@/lib/http/raw-body";
import { flushRequests } from "@/lib/http/request-log/flush-requests";
import { readRoutePatterns, UNMATCHED } from "@/lib/http/route-patterns";
import { DIRECT_PATHS } from "@/lib/http/routes";
import {
  API_POLICY,
  pagePolicy,
  securityHeaders,
  sharingHeaders,
  WALLETCONNECT_ORIGINS,
} from "@/lib/http/security-headers";
import { serveDirectly } from "@/lib/http/serve-directly";
import { sharedResponses } from "@/lib/http/shared-responses";
import { sharedTargets } from "@/lib/http/shared-targets";
import { holdRefusal } from "@/lib/http/spent-keys";
import { untilDeadline } from "@/lib/http/until-deadline";
import { visitorRedirect } from "@/lib/http/visitor-redirect";
import { walletOfCookie } from "@/lib/http/wallet-of-cookie";
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
const admission = new Admission(requestsInFlight);
const bodies = new ArrivingBodies();
const pages = new PageLimit();
const https = origin.startsWith("https:");
const common = securityHeaders(https);
const connect = [...publishedRpcOrigins(), ...(walletConnectProjectId ? WALLETCONNECT_ORIGINS : [])];
// Next.js listens for upgrades on the server it is given, and closes connections that request one. This server gets no
// requests.
const httpServer = development ? undefined : createServer();
const app = next({ dev: development, hostname: host, port, dir: import.meta.dirname, httpServer });
await app.prepare();
const handle = app.getRequestHandler();

function respond(response: ServerResponse, error: ApiError, headers: Record<string, string>): void {
  const requestId = newId("request");
  noteRequest({ requestId, errorCode: error.code });
  const body = JSON.stringify(errorBody(error, requestId, origin));
  response.writeHead(error.status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
    ...errorHeaders(error),
    ...headers,
  });
  response.end(body);
}

function sendTo(response: ServerResponse, location: string): void {
  response.writeHead(307, { Location: location, "Cache-Control": "no-store", "Content-Security-Policy": API_POLICY });
  response.end();
}

/** Responds to a person when the process is overloaded. The page reloads by itself. */
function busy(response: ServerResponse): void {
  const body = "<!doctype html><title>Busy</title><p>Halcyon is busy. This page loads again in a moment.";
  response.writeHead(503, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": API_POLICY,
    "Retry-After": "1",
    Refresh: "2",
  });
  response.end(body);
}

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

async function serveApi(
  { request, response, address, door }: Arrived,
  at: string,
  readBody: ReadRawBody,
): Promise<void> {
  response.setHeader("Content-Security-Policy", API_POLICY);
  const refusal = refuse(request.method ?? "", at);
  if (refusal) return respond(response, refusal.error, refusal.headers);
  const found = handlerOf?.(request.method ?? "", at);
  // The stream of events and what a provider sends need the Fetch API.
  if (found && isPlain(found.handler)) return serveDirectly(request, response, found, readBody, origin);
  const limits: LimitHeaders = {};
  const spent = request.method === "POST" && (await refusalOfSpent(door.posts, address, limits));
  if (spent) return respond(response, spent, limits);
  // Next.js would drop the body of a GET, and read others without limits.
  return withRawBody(readBody, () => handle(request, response));
}

async function servePage(
  request: IncomingMessage,
  response: ServerResponse,
  at: string,
  door: Door,
  address: string,
): Promise<void> {
  // Next.js's development server has addresses of its own.
  const refusal = development && door === NOWHERE ? undefined : refusePage(request, at, door);
  if (refusal) return respond(response, refusal.error, refusal.headers);
  for (const [name, value] of Object.entries(sharingHeaders(at))) response.setHeader(name, value);
  if (await serveShared?.(request, response, at)) return;
  setRequestedPage(request);
  const policy = pagePolicy({ nonce: randomBytes(16).toString("base64") }, { https, development, connect });
  // Next.js reads the nonce for its own scripts from the request's policy. A policy sent by the caller is overwritten.
  request.headers["content-security-policy"] = policy;
  delete request.headers["content-security-policy-report-only"];
  response.setHeader("Content-Security-Policy", policy);
  if (await servePacked?.(request, response, at)) return;
  const spent = door.address === "beyond built files" ? pages.take(address) : 0;
  if (spent instanceof ApiError) {
    await holdRefusal("address");
    return respond(response, spent, {});
  }
  if (isMissing?.(at)) return respond(response, new ApiError("not_found", "There is nothing at this address."), {});
  if (!development && door === NOWHERE) request.url = NOT_FOUND_PAGE;
  return handle(request, response);
}

/** Returns a request's path in the normal form that all later code relies on, or the error if it has none. */
function admitted(request: IncomingMessage): string | ApiError {
  try {
    return admit(request);
  } catch (refusal) {
    if (refusal instanceof ApiError) return refusal;
    throw refusal;
  }
}

const OF_API = { "Content-Security-Policy": API_POLICY };
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
  const at = admitted(request);
  const address = setClientAddress(request, trustedProxies);
  const door = (at instanceof ApiError ? undefined : doorOf(at)) ?? NOWHERE;
  const begin = (wallet?: string) => serve({ request, response, at, address, door, wallet });
  // Routes look the session up themselves.
  if (door.methods === "route" || door.priority !== "session" || !request.headers.cookie) return begin();
  void walletOfCookie(request.headers.cookie).then((wallet) => response.destroyed || begin(wallet));
});

interface Arrived {
  request: IncomingMessage;
  response: ServerResponse;
  /** Its path, or why it is refused. */
  at: string | ApiError;
  address: string;
  door: Door;
  /** For a page: of the request's session, if it has one that this service made. */
  wallet: string | undefined;
}

/** Serves a request when it is its client's turn, unless that has used up its requests. */
function serve(arrived: Arrived): void {
  const { request, response, at, address, door, wallet } = arrived;
  const signIn = visitorRedirect(request, door, wallet);
  const isRendered = door.cpu === "rendered" && signIn === undefined;
  const kind = door.cpu === "probe" ? "probe" : isRendered ? "rendered" : "made";
  // What looks like a path of an API and is none gets its 404 at no cost.
  const isCounted =
    !(at instanceof ApiError || (door === NOWHERE && isApiPath(at))) &&
    (door.address === "public" || door.address === "later");
  const turn = isCounted ? pages.take(address, { kind, wallet }) : 0;
  if (turn instanceof ApiError) admission.turnAway(() => respond(response, turn, OF_API));
  else if (turn === 0) serveNow(arrived, signIn);
  else setTimeout(() => response.destroyed || serveNow(arrived, signIn), turn);
}

/** Serves a request, unless the process has too much to do. */
function serveNow(arrived: Arrived, signIn: string | undefined): void {
  const { request, response, at, address, door, wallet } = arrived;
  // Before any other work, because refusing must be cheap.
  const priority = priorityOf(request, door, wallet);
  const shed = at instanceof ApiError ? undefined : admission.enter(priority, response, door.counts);
  if (shed) {
    const asJson = isApiPath(request.url ?? "");
    admission.turnAway(() => (asJson ? respond(response, shed, OF_API) : busy(response)));
    return;
  }
  const handled = async () => {
    if (at instanceof ApiError) return respond(response, at, OF_API);
    if (isApiPath(at)) return serveApi(arrived, at, bodyReader(admission, bodies, request, response, address));
    if (signIn !== undefined) return sendTo(response, signIn);
    return servePage(request, response, at, door, address);
  };
  const route = at instanceof ApiError ? UNMATCHED : patternOf(at);
  const left = untilDeadline(request, response, development ? null : door.deadlineMs, (error) => {
    log().warn({ route, status: error.status }, "request over its deadline");
    if (isApiPath(request.url ?? "")) respond(response, error, OF_API);
    else busy(response);
  });
  const guarded = () =>
    handled().catch((error) => {
      if (left.aborted && response.headersSent) return;
      log().error({ err: error }, "request failed");
      if (response.headersSent) response.destroy();
      else respond(response, new ApiError("internal", "Something failed on our side. Try again."), {});
    });
  void withClient(left, () => observeRequest(request, response, route, guarded));
}

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
