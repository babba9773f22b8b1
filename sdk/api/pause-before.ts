import { ApiCallError, NoResponse, ServiceTimeout, ServiceUnreachable } from "./errors";

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 5_000;
/** How long a service that is away is waited for: its restart takes a few seconds. */
const PATIENCE_MS = 30_000;
/** A service that returns 500 may do so again and again. */
const RETRIES_OF_FAILURES = 3;
/** A service that took so long may take as long again. */
const RETRIES_OF_TIMEOUTS = 1;
/** Nothing has ever responded there: more likely it is not started than starting. */
const RETRIES_OF_STRANGERS = 2;

/** What Node says when no server listens: nothing was sent. */
const REFUSED = "ECONNREFUSED";
/** What Node says when a request may never have arrived, or its response was lost. Browsers do not say. */
const BROKEN = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "EAI_AGAIN"]);
/** A proxy or the service itself says that the service is away. */
const AWAY = new Set([502, 503, 504]);

/** What Node says when no server can have received the request. */
const NOBODY = new Set(["ECONNREFUSED", "ENOTFOUND"]);

/** Whether a request that failed so can have reached no server. */
export function reachedNobody(error: unknown): boolean {
  if (!(error instanceof ServiceUnreachable)) return error instanceof NoResponse && error.neverArrived;
  const { cause } = (error.cause ?? {}) as { cause?: { code?: string; message?: string } };
  // A port that fetch itself refuses gets no request either.
  return NOBODY.has(cause?.code ?? "") || cause?.message === "bad port";
}

/** What is known of a request that failed. */
export interface FailedRequest {
  /** How often it was repeated already. */
  retries: number;
  /** Since it was sent first. */
  elapsedMs: number;
  /** Whether doing it twice is doing it once: a read, or a request with an idempotency key. */
  repeatable: boolean;
  /** Whether the service has responded to this client before. */
  known: boolean;
  /** Repeated no more often than this, whatever happens. */
  maxRetries?: number | undefined;
}

/** How often a failure is repeated; 0: never. Bounded by time as well. */
function mostRetries(error: unknown, { repeatable, known, maxRetries }: FailedRequest): number {
  if (error instanceof ServiceTimeout) return repeatable ? (maxRetries ?? RETRIES_OF_TIMEOUTS) : 0;
  if (error instanceof ServiceUnreachable) {
    // fetch wraps what happened in a TypeError of its own.
    const { cause } = error;
    const { cause: reason } = (cause ?? {}) as { cause?: { code?: string } };
    if (reason?.code === REFUSED) return known ? Number.POSITIVE_INFINITY : RETRIES_OF_STRANGERS;
    if (!repeatable) return 0;
    // A browser that is offline says so soon; the person decides what is still to happen afterwards.
    if (reason === undefined) return cause instanceof TypeError ? RETRIES_OF_FAILURES : 0;
    const broken = BROKEN.has(reason.code ?? "") || reason.code?.startsWith("UND_ERR_") === true;
    return broken ? Number.POSITIVE_INFINITY : 0;
  }
  if (!(error instanceof ApiCallError)) return 0;
  const { code, status } = error;
  // A request that the rate limit refused has done nothing.
  if (status === 429) return Number.POSITIVE_INFINITY;
  if (!repeatable) return 0;
  if (AWAY.has(status) || code === "idempotency_in_progress") return Number.POSITIVE_INFINITY;
  return status >= 500 ? RETRIES_OF_FAILURES : 0;
}

/**
 * How long to wait before a request that failed is repeated: the service's `Retry-After`, else twice as long each time, up
 * to a third less by chance so that many clients do not come back at once. A restart of the service is ridden out: what
 * found no server listening, or lost its connection, is repeated for half a minute. Where nothing has ever responded,
 * it fails after two more attempts.
 *
 * @returns milliseconds; null when it must not be repeated, or would fail again
 */
export function pauseBefore(error: unknown, failed: FailedRequest): number | null {
  const { retries, elapsedMs, maxRetries = Number.POSITIVE_INFINITY } = failed;
  if (retries >= Math.min(maxRetries, mostRetries(error, failed))) return null;
  const backoff = Math.min(FIRST_PAUSE_MS * 2 ** retries, LONGEST_PAUSE_MS) * (1 - Math.random() / 3);
  const asked = error instanceof ApiCallError ? 1000 * (error.retryAfter ?? 0) : 0;
  const pause = Math.max(backoff, asked);
  // A timeout has its own bound: it may be longer than our patience.
  if (error instanceof ServiceTimeout) return pause;
  return elapsedMs + pause > PATIENCE_MS ? null : pause;
}
