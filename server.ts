/*
 * The thin server in front of Next. Next answers some requests by itself, badly, and drops the body of a GET; under
 * /v1 this server refuses those first, in our error shape, and hands the body over (docs/decisions.md "Transport").
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import next from "next";
import { setClientAddress } from "@/lib/client-address";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { errorBody, errorHeaders } from "@/lib/http/error-body";
import { isApiPath, pathOf, refuse } from "@/lib/http/front";
import { observeRequest } from "@/lib/http/observe-request";
import { withRawBody } from "@/lib/http/raw-body";
import { MAX_BODY_BYTES } from "@/lib/http/read-body";
import { readRoutePatterns } from "@/lib/http/route-patterns";
import { API_POLICY, pagePolicy, securityHeaders, WALLETCONNECT_ORIGINS } from "@/lib/http/security-headers";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { publishedRpcOrigins } from "@/lib/networks/published-rpc";
import { requireFitKeys } from "@/lib/prover/require-fit-keys";
import { endStreams } from "@/lib/stream/open-streams";
import { noteRequest } from "@/lib/telemetry/current-request";
import { startTelemetry, stopTelemetry } from "@/lib/telemetry/start";
import { flushKeyUse } from "@/lib/usage/flush-key-use";

const DRAIN_MS = 10_000;
let draining = false;

requireFitKeys();

await startTelemetry("web");
const patternOf = readRoutePatterns(path.join(import.meta.dirname, "app"));

const { host, port, origin, trustedProxies, walletConnectProjectId } = env();
const https = origin.startsWith("https:");
const common = securityHeaders(https);
const connect = [...publishedRpcOrigins(), ...(walletConnectProjectId ? WALLETCONNECT_ORIGINS : [])];
const development = process.env.NODE_ENV === "development";
const app = next({ dev: development, hostname: host, port, dir: import.meta.dirname });
await app.prepare();
const handle = app.getRequestHandler();

function answer(response: ServerResponse, error: ApiError, headers: Record<string, string>): void {
  const requestId = newId("request");
  noteRequest({ requestId, errorCode: error.code });
  const body = JSON.stringify(errorBody(error, requestId));
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

/** Reads one byte more than a body may have, so that the route refuses what is too large after it knows the caller. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BODY_BYTES) break;
  }
  return Buffer.concat(chunks);
}

function carriesBody(request: IncomingMessage): boolean {
  return Number(request.headers["content-length"] ?? 0) > 0 || request.headers["transfer-encoding"] !== undefined;
}

async function serveApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader("Content-Security-Policy", API_POLICY);
  const refusal = refuse(request.method ?? "", request.url ?? "");
  if (refusal) return answer(response, refusal.error, refusal.headers);
  if (request.method !== "GET" || !carriesBody(request)) return handle(request, response);
  const body = await readBody(request);
  if (body.length > MAX_BODY_BYTES) response.setHeader("Connection", "close");
  return withRawBody(body, () => handle(request, response));
}

function servePage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const policy = pagePolicy(randomBytes(16).toString("base64"), { https, development, connect });
  // Next reads the nonce for its own scripts from the request's policy; what a caller sent there is overwritten.
  request.headers["content-security-policy"] = policy;
  delete request.headers["content-security-policy-report-only"];
  response.setHeader("Content-Security-Policy", policy);
  return handle(request, response);
}

let active = 0;
const server = createServer((request, response) => {
  active += 1;
  response.once("close", () => {
    active -= 1;
    if (draining && active === 0) server.closeAllConnections();
  });
  setClientAddress(request, trustedProxies);
  for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
  const at = pathOf(request.url ?? "");
  // Compression would cost an API answer more than it saves, and hold a stream of events back.
  if (isApiPath(at) || at.startsWith("/api/")) delete request.headers["accept-encoding"];
  const serve = isApiPath(at) ? serveApi : servePage;
  void observeRequest(request, response, patternOf(at), () =>
    serve(request, response).catch((error) => {
      log().error({ err: error }, "request failed");
      if (response.headersSent) response.destroy();
      else answer(response, new ApiError("internal", "Something failed on our side. Try again."), {});
    }),
  );
});
server.requestTimeout = 30_000;
server.keepAliveTimeout = 65_000;

// What is no HTTP, or a method HTTP does not know, has no response object.
server.on("clientError", (_error, socket) => {
  if (!socket.writable) return socket.destroy();
  const requestId = newId("request");
  const error = new ApiError("invalid_request", "This is not an HTTP request the service understands.");
  const body = JSON.stringify(errorBody(error, requestId));
  const headers = { "Content-Type": "application/json", "X-Request-Id": requestId, ...common, Connection: "close" };
  const lines = Object.entries({ ...headers, "Content-Length": Buffer.byteLength(body) }).map(([k, v]) => `${k}: ${v}`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
});

// The development server tells the browser of changes over a WebSocket.
if (development) server.on("upgrade", app.getUpgradeHandler());

server.listen(port, host, () => log().info({ host, port }, "web server listening"));

function drain(signal: string): void {
  if (draining) return;
  draining = true;
  endStreams();
  log().info({ signal }, "web server draining");
  server.close(() => {
    // All requests are answered. Next's own close() never returns, and there is nothing left for it to end.
    Promise.allSettled([flushKeyUse(), stopTelemetry()]).finally(() => process.exit(0));
  });
  // Browsers keep connections open that never carried a request; to Node those are not idle.
  if (active === 0) server.closeAllConnections();
  setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
}
process.on("SIGTERM", () => drain("SIGTERM"));
process.on("SIGINT", () => drain("SIGINT"));
