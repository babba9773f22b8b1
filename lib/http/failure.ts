import { databaseAway } from "@/db/database-away";
import { clientHasLeft } from "@/lib/base/client-left";
import { publicOrigin } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { noteRequest } from "@/lib/base/telemetry/current-request";
import { log } from "@/lib/base/telemetry/log";
import { errorBody, errorHeaders, toApiError } from "@/lib/http/error-body";
import { type PlainResponse, toResponse } from "./plain-response";

/** Names of errors that mean that a node does not respond, is overloaded, or is contradicted by another one. */
const AWAY = new Set([
  "ChainContradiction",
  "HttpRequestError",
  "TimeoutError",
  "InternalRpcError",
  "LimitExceededRpcError",
  "ResourceUnavailableRpcError",
]);

/**
 * Returns the response to any thrown value. Unexpected errors are logged, without the request's body, and become a 500.
 *
 * @param limits headers of a rate limit that counted the request
 */
export function plainFailure(
  thrown: unknown,
  requestId: string,
  route: string,
  limits: Record<string, string> = {},
): PlainResponse {
  const refused = thrown instanceof ApiError && thrown.status < 500;
  // A chain's first: both may have a socket's error as their cause, and viem names its own.
  const error = refused ? thrown : (chainAway(thrown) ?? databaseAway(thrown) ?? toApiError(thrown));
  noteRequest({ requestId, errorCode: error.code });
  // What stops waiting because no one waits for it has not failed.
  if (error.status >= 500 && !(error.code === "unavailable" && clientHasLeft()))
    log().error({ err: error, route }, "request failed");
  return {
    status: error.status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-request-id": requestId,
      ...errorHeaders(error),
      ...limits,
    },
    text: JSON.stringify(errorBody(error, requestId, publicOrigin())),
  };
}

/** Like {@link plainFailure}, for handlers that only Next.js calls. */
export function failure(...thrown: Parameters<typeof plainFailure>): Response {
  return toResponse(plainFailure(...thrown));
}

/**
 * Returns the error for a request that needed a chain while its node was unreachable, overloaded or contradicted;
 * undefined for other errors.
 */
function chainAway(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return undefined;
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (!AWAY.has(error.name)) continue;
    const message = "The service cannot reach the chain just now. Try again.";
    return new ApiError("unavailable", message, { cause: thrown, retryAfter: 2 });
  }
  return undefined;
}
