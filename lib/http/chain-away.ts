import { ApiError } from "@/lib/base/errors";

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
 * Returns the error for a request that needed a chain while its node was unreachable, overloaded or contradicted;
 * undefined for other errors.
 */
export function chainAway(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return undefined;
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (!AWAY.has(error.name)) continue;
    const message = "The service cannot reach the chain just now. Try again.";
    return new ApiError("unavailable", message, { cause: thrown, retryAfter: 2 });
  }
  return undefined;
}
