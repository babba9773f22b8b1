import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ApiError } from "@/lib/errors";
import { errorBody } from "@/lib/http/error-body";
import { carriesBody } from "@/lib/http/front";
import { newId } from "@/lib/ids";

/** How long a client may take, in milliseconds, and how much of the process it may have. */
interface WebServerLimits {
  /** From the first byte of a request to the end of its headers. */
  headersMs: number;
  /** From the first byte of a request to the end of its body. */
  requestMs: number;
  /** How often those two are looked at. */
  checkMs: number;
  /** How long a response waits for a client that reads none of it. */
  unreadMs: number;
  /** Without a request. */
  keepAliveMs: number;
  /** At once. Streams of events have a bound of their own below it (lib/stream/open-streams.ts). */
  connections: number;
  /** After so many the connection ends. */
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
  /** The service's public origin, of `doc_url`. */
  origin: string;
}

/** What Node says of a request it gave up on, with its status and the client's message. */
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
 * An HTTP/1.1 server whose clients cannot hold it: each wait has an end, each connection counts, and what Node rejects
 * without a body gets a response in our error shape.
 *
 * @param refusals what every response has that `serve` does not make
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
    // `admit` refuses what has none, in our shape.
    requireHostHeader: false,
  };
  const server = createServer(options, (request, response) => {
    unfinished.set(request.socket, response);
    const nth = (served.get(request.socket) ?? 0) + 1;
    served.set(request.socket, nth);
    // Node's own bound sets this header as well, but neither closes the connection nor responds to what still comes in
    // our shape.
    if (nth >= limits.requestsPerConnection) response.setHeader("Connection", "close");
    closeOverUnreadBody(request, response);
    closeWithConnection(request.socket, response);
    serve(request, response);
  });
  server.maxConnections = limits.connections;
  server.timeout = limits.unreadMs;
  server.on("timeout", (socket: Socket) => {
    const response = unfinished.get(socket);
    // Slow is what we are, not the client: it waits for a response that has not started yet.
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
  // Node handles "100-continue". We ignore every other `Expect` (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return server;
}

const waiting = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Node says `close` of the response that has the connection alone. One that waits behind it, of a client that sends many
 * requests at once and leaves, would be counted as under way for ever.
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

/** A client that gets its response early would have the connection wait for the rest of its body. */
function closeOverUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = ((...args: unknown[]) => {
    if (!request.complete && carriesBody(request)) response.setHeader("Connection", "close");
    return writeHead(...args);
  }) as typeof response.writeHead;
}

/** Responds on a connection whose request never became one, and closes it. */
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
