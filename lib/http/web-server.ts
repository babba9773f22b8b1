import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { errorBody } from "@/lib/http/error-body";
import { carriesBody } from "@/lib/http/front";
import { cutSlowReaders, LEAST_RATE } from "./least-rate";

/** Limits on how long a client may take, in milliseconds, and on how much of the process it may use. */
interface WebServerLimits {
  /** From the first byte of a request to the end of its headers. */
  headersMs: number;
  /** From the first byte of a request to the end of its body. */
  requestMs: number;
  /** How often the two limits above are checked. */
  checkMs: number;
  /** How long a response waits for a client that reads none of it. */
  unreadMs: number;
  /** How long a connection may stay open without a request. */
  keepAliveMs: number;
  /** Concurrent connections. Streams of events have their own, lower limit (lib/events/stream/open-streams.ts). */
  connections: number;
  /** After this many requests the connection is closed. */
  requestsPerConnection: number;
}

export const WEB_SERVER_LIMITS: WebServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkMs: 2_500,
  unreadMs: 30_000,
  keepAliveMs: 65_000,
  connections: 10_000,
  requestsPerConnection: 10_000,
};

interface Refusals {
  headers: Readonly<Record<string, string>>;
  /** The service's public origin, for `doc_url`. */
  origin: string;
}

/** Status, reason and message for Node's errors about a request it could not read. */
const UNREADABLE: Readonly<Record<string, [number, string, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The request took too long to arrive. Send it again."],
  HPE_HEADER_OVERFLOW: [
    431,
    "Request Header Fields Too Large",
    "The headers are too large. Send fewer, or shorter ones.",
  ],
};
const NO_HTTP: [number, string, string] = [400, "Bad Request", "This is not an HTTP request the service understands."];

/**
 * Creates an HTTP/1.1 server on which slow clients can't hold resources: every wait has a time limit, connections are
 * limited, and requests that Node would reject without a body get a response in our error format.
 *
 * @param refusals headers for every response that `serve` does not make
 */
export function createWebServer(
  limits: WebServerLimits,
  refusals: Refusals,
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const unfinished = new WeakMap<Duplex, ServerResponse>();
  const served = new WeakMap<Duplex, number>();
  const options = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: limits.keepAliveMs,
    // `admit` refuses requests without a Host header, in our format.
    requireHostHeader: false,
  };
  const server = createServer(options, (request, response) => {
    unfinished.set(request.socket, response);
    const nth = (served.get(request.socket) ?? 0) + 1;
    served.set(request.socket, nth);
    // Node's own limit also sets this header, but it neither closes the connection nor responds to further requests in
    // our format.
    if (nth >= limits.requestsPerConnection) response.setHeader("Connection", "close");
    closeOverUnreadBody(request, response);
    closeWithConnection(request.socket, response);
    serve(request, response);
  });
  cutSlowReaders(server, LEAST_RATE);
  server.maxConnections = limits.connections;
  server.timeout = limits.unreadMs;
  server.on("timeout", (socket: Socket) => {
    const response = unfinished.get(socket);
    // If the response has not started, the service is slow, not the client. Keep waiting.
    const ours = response !== undefined && !response.writableFinished && socket.writableLength === 0;
    if (ours) socket.setTimeout(limits.unreadMs);
    else socket.destroy();
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const response = unfinished.get(socket);
    const begun = response?.headersSent === true && !response.writableFinished;
    if (!socket.writable || begun) return socket.destroy();
    end(socket, UNREADABLE[error.code ?? ""] ?? NO_HTTP, refusals);
  });
  server.on("connect", (_request, socket: Duplex) => {
    const headers = { ...refusals.headers, Allow: "GET, HEAD, POST, PATCH, DELETE" };
    end(socket, [405, "Method Not Allowed", "This service is no proxy."], { ...refusals, headers });
  });
  // Node handles "100-continue". Every other `Expect` is ignored (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return server;
}

const waiting = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Emits `close` on all responses of a connection when it closes. Node does so only for the current one. Responses
 * queued behind it, for a client that pipelines requests and disconnects, would count as in progress forever.
 */
function closeWithConnection(socket: Socket, response: ServerResponse): void {
  const all = waiting.get(socket) ?? new Set<ServerResponse>();
  if (!waiting.has(socket)) {
    waiting.set(socket, all);
    socket.once("close", () => {
      for (const one of all) if (!one.socket && !one.writableFinished) one.emit("close");
    });
  }
  all.add(response);
  response.once("close", () => all.delete(response));
}

/**
 * Closes the connection if a response is sent before the request's body was read. Otherwise the connection would wait
 * for the rest of the body.
 */
function closeOverUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = ((...args: unknown[]) => {
    if (!request.complete && carriesBody(request)) response.setHeader("Connection", "close");
    return writeHead(...args);
  }) as typeof response.writeHead;
}

/** Responds on a connection whose request could not be parsed, and closes it. */
function end(
  socket: Duplex,
  [status, reason, message]: [number, string, string],
  { headers: more, origin }: Refusals,
): void {
  const requestId = newId("request");
  const code = status === 405 ? "method_not_allowed" : "invalid_request";
  const body = JSON.stringify(errorBody(new ApiError(code, message), requestId, origin));
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
    ...more,
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}
