import { ApiCallError, NoResponse, ServiceTimeout, ServiceUnreachable } from "./errors";

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 5_000;
/** How long to wait for an unreachable service: its restart takes a few seconds. */
const PATIENCE_MS = 30_000;
/** Retries after a 500, which is likely to recur. */
const RETRIES_OF_FAILURES = 3;
/** Retries after a timeout: the next try may take just as long. */
const RETRIES_OF_TIMEOUTS = 1;
/** Retries if the service has never responded: it is probably not running at all, rather than restarting. */
const RETRIES_OF_STRANGERS = 2;

/** Node's code for a refused connection: no server listens, so nothing was sent. */
const REFUSED = "ECONNREFUSED";
/** Node's codes for a request that may not have arrived, or whose response was lost. Browsers give no code. */
const BROKEN = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "EAI_AGAIN"]);
/** The statuses with which a proxy or the service itself says that the service is unavailable. */
const AWAY = new Set([502, 503, 504]);

/** Node's codes for errors in which no server can have received the request. */
const NOBODY = new Set(["ECONNREFUSED", "ENOTFOUND"]);

/** Reports whether a failed request certainly reached no server. */
export function reachedNobody(error: unknown): boolean {
  if (!(error instanceof ServiceUnreachable)) return error instanceof NoResponse && error.neverArrived;
  const { cause } = (error.cause ?? {}) as { cause?: { code?: string } };
  return NOBODY.has(cause?.code ?? "");
}

/** What is known about a failed request. */
export interface FailedRequest {
  /** How often it was retried already. */
  retries: number;
  /** Milliseconds since it was first sent. */
  elapsedMs: number;
  /** Whether a retry is safe: the request is a read, or has an idempotency key. */
  repeatable: boolean;
  /** Whether the service has responded to this client before. */
  known: boolean;
  /** The maximum number of retries, whatever the error. */
  maxRetries?: number | undefined;
}

/** Returns the maximum number of retries for an error, 0 for none. Retries are limited in time as well. */
function mostRetries(error: unknown, { repeatable, known, maxRetries }: FailedRequest): number {
  if (error instanceof ServiceTimeout) return repeatable ? (maxRetries ?? RETRIES_OF_TIMEOUTS) : 0;
  if (error instanceof ServiceUnreachable) {
    // fetch wraps the actual cause in a TypeError of its own.
    const { cause } = error;
    const { cause: reason } = (cause ?? {}) as { cause?: { code?: string } };
    if (reason?.code === REFUSED) return known ? Number.POSITIVE_INFINITY : RETRIES_OF_STRANGERS;
    if (!repeatable) return 0;
    // An offline browser fails immediately, so a few retries are enough; the person then decides what to do.
    if (reason === undefined) return cause instanceof TypeError ? RETRIES_OF_FAILURES : 0;
    const broken = BROKEN.has(reason.code ?? "") || reason.code?.startsWith("UND_ERR_") === true;
    return broken ? Number.POSITIVE_INFINITY : 0;
  }
  if (!(error instanceof ApiCallError)) return 0;
  const { code, status } = error;
  // A request refused by the rate limit had no effect.
  if (status === 429) return Number.POSITIVE_INFINITY;
  if (!repeatable) return 0;
  if (AWAY.has(status) || code === "idempotency_in_progress") return Number.POSITIVE_INFINITY;
  return status >= 500 ? RETRIES_OF_FAILURES : 0;
}

/**
 * Returns how long to wait before retrying a failed request: the service's `Retry-After`, or an exponential backoff,
 * shortened by a random amount up to a third so that many clients don't retry at once. To bridge a restart of the
 * service, requests that find no server listening or lose their connection are retried for half a minute; only twice if
 * the service has never responded.
 *
 * @returns milliseconds; null if the request must not be retried or would fail again
 */
export function pauseBefore(error: unknown, failed: FailedRequest): number | null {
  const { retries, elapsedMs, maxRetries = Number.POSITIVE_INFINITY } = failed;
  if (retries >= Math.min(maxRetries, mostRetries(error, failed))) return null;
  const backoff = Math.min(FIRST_PAUSE_MS * 2 ** retries, LONGEST_PAUSE_MS) * (1 - Math.random() / 3);
  const asked = error instanceof ApiCallError ? 1000 * (error.retryAfter ?? 0) : 0;
  const pause = Math.max(backoff, asked);
  // A timeout has its own limit of retries, and may be longer than PATIENCE_MS.
  if (error instanceof ServiceTimeout) return pause;
  return elapsedMs + pause > PATIENCE_MS ? null : pause;
}
