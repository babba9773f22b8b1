import { ApiCallError } from "../../api/errors";
import { toHalcyonError } from "../../api/to-halcyon-error";
import { ResponseLost } from "./outcome-unknown";
import { hasLeftNothing, isLost } from "./post-again";

/** Errors that the service returns before it looks for an earlier request with the same idempotency key. */
const SAYS_NOTHING_OF_EARLIER = new Set<string>([
  "unauthorized",
  "key_forbidden",
  "rate_limited",
  "idempotency_in_progress",
  "sync_required",
  "policy_not_in_force",
]);

/** Reports whether the payment may have been made, by this try or by an earlier one whose response was lost. */
function leavesOpen(error: unknown): boolean {
  if (isLost(error)) return !hasLeftNothing(error);
  if (!(error instanceof ApiCallError) || !error.afterLostResponse) return false;
  return error.status === 408 || SAYS_NOTHING_OF_EARLIER.has(error.code);
}

/**
 * Awaits a request that has the service pay, now or on later dates.
 *
 * @param key the request's idempotency key
 * @param begun whether an earlier request of the same key has paid something
 * @throws ResponseLost when the payment may have been made; otherwise what the request throws
 */
export async function orResponseLost<T>(key: string, request: Promise<T>, begun = false): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw begun || leavesOpen(error) ? new ResponseLost(key, toHalcyonError(error)) : error;
  }
}
