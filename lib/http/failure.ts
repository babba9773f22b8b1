import { ApiError } from "@/lib/errors";
import { errorBody, errorHeaders, toApiError } from "@/lib/http/error-body";
import { log } from "@/lib/log";
import { noteRequest } from "@/lib/telemetry/current-request";

/** postgres.js and PostgreSQL (57P01 to 57P03) while the database is away. */
const DATABASE_AWAY = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "57P01",
  "57P02",
  "57P03",
]);

/**
 * The answer to any thrown value. What nobody foresaw is logged, without the request's body, and answered 500.
 *
 * @param limits headers of a rate limit that counted the request
 */
export function failure(
  thrown: unknown,
  requestId: string,
  route: string,
  limits: Record<string, string> = {},
): Response {
  const error = databaseAway(thrown) ?? toApiError(thrown);
  noteRequest({ requestId, errorCode: error.code });
  if (error.status >= 500) log().error({ err: error, route }, "request failed");
  return new Response(JSON.stringify(errorBody(error, requestId)), {
    status: error.status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-request-id": requestId,
      ...errorHeaders(error),
      ...limits,
    },
  });
}

function databaseAway(thrown: unknown): ApiError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string" && DATABASE_AWAY.has(error.code)) {
      const message = "The service cannot reach its database just now. Try again.";
      return new ApiError("unavailable", message, { cause: thrown, retryAfter: 1 });
    }
  }
  return undefined;
}
