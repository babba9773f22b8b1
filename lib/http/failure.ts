import { databaseAway } from "@/db/database-away";
import { publicOrigin } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { errorBody, errorHeaders, toApiError } from "@/lib/http/error-body";
import { noteRequest } from "@/lib/telemetry/current-request";
import { log } from "@/lib/telemetry/log";
import { chainAway } from "./chain-away";
import { type PlainResponse, toResponse } from "./plain-response";

/**
 * The response to any thrown value. What no one foresaw is logged, without the request's body, and rejected with 500.
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
  const error = refused ? thrown : (databaseAway(thrown) ?? chainAway(thrown) ?? toApiError(thrown));
  noteRequest({ requestId, errorCode: error.code });
  if (error.status >= 500) log().error({ err: error, route }, "request failed");
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

/** As {@link plainFailure}, for handlers that Next alone calls. */
export function failure(...thrown: Parameters<typeof plainFailure>): Response {
  return toResponse(plainFailure(...thrown));
}
