import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";
import { HalcyonError } from "../api/errors";
import { errorResponse, type ProxyResponse, serviceAway } from "./proxy-response";

/** Of one connection only (RFC 9110, section 7.6.1), and so of no other. */
const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Returns the headers that go on: without those of a connection, and those that `Connection` names. */
function endToEnd(headers: IncomingHttpHeaders, without: readonly string[] = []): IncomingHttpHeaders {
  const named = String(headers.connection ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase());
  const left = new Set([...HOP_BY_HOP, ...named, ...without]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !left.has(name)));
}

/** Sends a response that this machine made. */
export function respond(response: ServerResponse, { status, headers, body }: ProxyResponse): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}

/**
 * Has the service respond: neither its response nor the request's body is changed, kept or logged, and each byte goes on
 * as it comes.
 *
 * @param body what is sent in place of the request's body, which has been read
 */
export function passThrough(
  service: URL,
  request: IncomingMessage,
  response: ServerResponse,
  body?: Uint8Array,
): Promise<void> {
  return new Promise((resolve) => {
    const send = service.protocol === "https:" ? httpsRequest : httpRequest;
    const headers = endToEnd(request.headers, ["host", ...(body ? ["content-length"] : [])]);
    const upstream = send({
      protocol: service.protocol,
      hostname: service.hostname.replace(/^\[|\]$/g, ""),
      port: service.port,
      path: service.pathname.replace(/\/$/, "") + request.url,
      method: request.method,
      headers: { ...headers, ...(body && { "content-length": body.length }) },
    });
    upstream.once("response", (from) => {
      response.writeHead(from.statusCode ?? 502, endToEnd(from.headers));
      from.pipe(response);
      // A response that ends early must not look complete.
      from.once("aborted", () => response.destroy());
    });
    let connected = false;
    upstream.once("socket", (socket) => {
      if (!socket.connecting) connected = true;
      else socket.once("connect", () => (connected = true));
    });
    upstream.once("error", () => {
      const error = connected ? noResponse(service) : serviceAway(service.origin);
      respond(response, errorResponse(error, service.href.replace(/\/$/, "")));
    });
    response.once("close", () => {
      upstream.destroy();
      resolve();
    });
    if (body) upstream.end(body);
    else request.pipe(upstream);
  });
}

/** Returns the error for a connection that ended without a response: the service may have done what was asked. */
function noResponse({ origin }: URL): HalcyonError {
  return new HalcyonError(
    "outcome_unknown",
    `The service at ${origin} did not respond, and may have done what was asked. Repeat the request with the same Idempotency-Key.`,
    { retryAfter: 1 },
  );
}
