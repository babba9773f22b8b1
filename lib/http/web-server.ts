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
  /** How long an answer waits for a client that reads none of it. */
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

/** What Node says of a request it gave up on, with its status and what the client is told. */
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
 * An HTTP/1.1 server whose clients cannot hold it: each wait has an end, each connection counts, and what Node answers
 * without a body is answered in our error shape.
 *
 * @param headers of every answer that `serve` does not make
 */
export function createWebServer(
  limits: WebServerLimits,
  headers: Readonly<Record<string, string>>,
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const answering = new WeakMap<Duplex, ServerResponse>();
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
    answering.set(request.socket, response);
    const nth = (served.get(request.socket) ?? 0) + 1;
    served.set(request.socket, nth);
    // Node's own bound sets this header as well, but neither closes the connection nor answers what still comes in our shape.
    if (nth >= limits.requestsPerConnection) response.setHeader("Connection", "close");
    closeOverUnreadBody(request, response);
    serve(request, response);
  });
  server.maxConnections = limits.connections;
  server.timeout = limits.unreadMs;
  server.on("timeout", (socket: Socket) => {
    const response = answering.get(socket);
    // Slow is what we are, not the client: it waits for an answer of which nothing is written yet.
    const ours = response !== undefined && !response.writableFinished && socket.writableLength === 0;
    if (ours) socket.setTimeout(limits.unreadMs);
    else socket.destroy();
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const response = answering.get(socket);
    const begun = response?.headersSent === true && !response.writableFinished;
    if (!socket.writable || begun) return socket.destroy();
    end(socket, UNREADABLE[error.code ?? ""] ?? NO_HTTP, headers);
  });
  server.on("connect", (_request, socket: Duplex) => {
    end(socket, [405, "Method Not Allowed", "This service is no proxy."], {
      ...headers,
      Allow: "GET, HEAD, POST, PATCH, DELETE",
    });
  });
  // We expect nothing of `Expect` but "100-continue", which Node answers, and pass over the rest (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return server;
}

/** Whoever is answered before the end of their body would have the connection wait for the rest of it. */
function closeOverUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = ((...args: unknown[]) => {
    if (!request.complete && carriesBody(request)) response.setHeader("Connection", "close");
    return writeHead(...args);
  }) as typeof response.writeHead;
}

/** Answers on a connection whose request never became one, and closes it. */
function end(
  socket: Duplex,
  [status, reason, message]: [number, string, string],
  more: Readonly<Record<string, string>>,
): void {
  const requestId = newId("request");
  const code = status === 405 ? "method_not_allowed" : "invalid_request";
  const body = JSON.stringify(errorBody(new ApiError(code, message), requestId));
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
