import type { IncomingMessage, ServerResponse } from "node:http";
import { recordRequest } from "@/lib/accounts/request-log/record-request";
import { type CurrentRequest, withRequest } from "@/lib/base/telemetry/current-request";
import { inSpan } from "@/lib/base/telemetry/in-span";
import { log } from "@/lib/base/telemetry/log";
import { readTraceparent } from "@/lib/base/telemetry/read-traceparent";
import { measure } from "@/lib/base/telemetry/record";
import { UNMATCHED } from "@/lib/http/route-patterns";

/** Who follows the log would read of nothing else. */
const NOT_LOGGED = "/v1/request-log";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Serves a request inside a span, as a child of the caller's if it sends one, and records its duration by route and
 * status when the response has ended (OpenTelemetry's semantic conventions for HTTP servers). One with an API key is
 * also logged for the account's owner. The URL is not recorded, because it may contain anything.
 */
export async function observeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  route: string,
  serve: () => Promise<void>,
): Promise<void> {
  const start = performance.now();
  // The conventions' name for unknown methods, which would otherwise create any number of time series.
  const method = METHODS.has(request.method ?? "") ? (request.method as string) : "_OTHER";
  const ended = new Promise<void>((resolve) => response.once("close", resolve));
  const known: CurrentRequest = {};
  const name = `${method} ${route === UNMATCHED ? "/*" : route}` as `${string} /${string}`;
  await withRequest(known, () =>
    inSpan(
      name,
      { "http.request.method": method, "http.route": route },
      async (span) => {
        await serve();
        await ended;
        const outcome = {
          "http.response.status_code": response.statusCode,
          ...(known.errorCode ? { "error.type": known.errorCode } : {}),
        };
        span.set({ ...outcome, ...(known.requestId ? { "halcyon.request_id": known.requestId } : {}) });
        const seconds = (performance.now() - start) / 1000;
        const { caller, requestId } = known;
        if (caller && requestId && route !== NOT_LOGGED) {
          recordRequest({
            ...caller,
            id: requestId,
            method,
            route,
            status: response.statusCode,
            errorCode: known.errorCode ?? null,
            durationMs: Math.round(seconds * 1000),
          });
        }
        // How long a browser keeps a stream open says nothing about the service.
        const streams = String(response.getHeader("content-type")).startsWith("text/event-stream");
        if (!streams)
          measure("http.server.request.duration", seconds, {
            "http.request.method": method,
            "http.route": route,
            ...outcome,
          });
        log().debug({ method, route, status: response.statusCode, ms: Math.round(seconds * 1000) }, "request");
      },
      readTraceparent(request.headers.traceparent),
    ),
  );
}
