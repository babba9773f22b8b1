import { ERROR_STATUS } from "@/lib/base/errors";
import { insufficientBalance } from "@/lib/base/payment-errors";
import { HalcyonError } from "../api/errors";
import { toHalcyonError } from "../api/to-halcyon-error";

/** What the proxy responds. */
export interface ProxyResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What only a client can know has no status at the service: the payment may have been made. */
const OUTCOME_UNKNOWN = 504;

/** Returns a response with a JSON body. */
export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): ProxyResponse {
  const own = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  return { status, headers: { ...own, ...headers }, body: JSON.stringify(body) };
}

/**
 * Returns the response for an error that this machine found, in the form of the service's own (docs/errors.md).
 *
 * @param service the service's address, for `doc_url`
 */
export function errorResponse(thrown: unknown, service: string): ProxyResponse {
  const error = toHalcyonError(thrown);
  const { param, errors, reason, retryAfter } = error;
  // The caller's node lags behind: nothing failed inside.
  const code = (error.cause as Error | undefined)?.name === "StateFromTheFuture" ? "unavailable" : error.code;
  const own: Partial<Record<string, number>> = ERROR_STATUS;
  const status = error.status ?? own[code] ?? (code === "outcome_unknown" ? OUTCOME_UNKNOWN : 503);
  const message = code === "insufficient_balance" ? insufficientBalance().publicMessage : error.message;
  const doc_url = `${service}/docs/errors/${code}`;
  const request_id = error.requestId ?? `req_${crypto.randomUUID().replaceAll("-", "")}`;
  const headers = {
    ...(status === 401 && { "www-authenticate": "Bearer" }),
    ...(retryAfter !== undefined && { "retry-after": String(Math.max(1, Math.ceil(retryAfter))) }),
  };
  return jsonResponse(status, { error: { code, message, param, errors, reason, request_id, doc_url } }, headers);
}

/** Returns the error for what the proxy does not build. Nothing of the request leaves this machine. */
export function notBuiltHere(what: string): HalcyonError {
  return new HalcyonError(
    "key_forbidden",
    `A blind key does not ${what} yet, and the proxy keeps its amount on this machine. Use a plain key or the wallet.`,
  );
}

/**
 * Returns the error for a service that no connection was made to: it has nothing of this request. An earlier one with the
 * same Idempotency-Key may have been paid.
 */
export function serviceAway(service: string): HalcyonError {
  return new HalcyonError(
    "unavailable",
    `The proxy can't reach the service at ${service}. Nothing was paid by this request. Check the address, then repeat it.`,
    { retryAfter: 1 },
  );
}
