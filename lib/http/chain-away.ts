import { ApiError } from "@/lib/errors";

/** Errors of viem that say that a node does not respond, or not now. */
const AWAY = new Set([
  "HttpRequestError",
  "TimeoutError",
  "InternalRpcError",
  "LimitExceededRpcError",
  "ResourceUnavailableRpcError",
]);

/** The error of a request that needed a chain while its node was away or overloaded; undefined for other errors. */
export function chainAway(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return undefined;
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (!AWAY.has(error.name)) continue;
    const message = "The service cannot reach the chain just now. Try again.";
    return new ApiError("unavailable", message, { cause: thrown, retryAfter: 2 });
  }
  return undefined;
}
