import { ApiCallError, ServiceUnreachable } from "./errors";

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 5_000;
/** How long a service that is away is waited for: its restart takes a few seconds. Whoever is told to wait longer is told so. */
const PATIENCE_MS = 30_000;
/** A service that answers 500 may do so again and again. */
const RETRIES_OF_FAILURES = 3;
/** Nobody has ever answered there: more likely it is not started than that it starts just now. */
const RETRIES_OF_STRANGERS = 2;

/** What Node says when nobody listens: nothing was sent. */
const REFUSED = "ECONNREFUSED";
/** What Node says when a request may never have arrived, or its answer was lost. Browsers do not say. */
const BROKEN = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "EAI_AGAIN"]);
/** A proxy or the service itself says that nobody serves just now. */
const AWAY = new Set([502, 503, 504]);

/** What Node says when nobody can have got the request. */
const NOBODY = new Set(["ECONNREFUSED", "ENOTFOUND"]);

/** Whether a request that failed so can have reached nobody. */
export function reachedNobody(error: unknown): boolean {
  if (!(error instanceof ServiceUnreachable)) return false;
  const { cause } = (error.cause ?? {}) as { cause?: { code?: string; message?: string } };
  // Ports that fetch itself refuses are asked of nobody either.
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
  /** Whether the service has answered this client before. */
  known: boolean;
  /** Repeated no more often than this, whatever happens. */
  maxRetries?: number;
}

/** How often a failure is repeated; 0: never. Bounded by time as well. */
function mostRetries(error: unknown, { repeatable, known }: FailedRequest): number {
  if (error instanceof ServiceUnreachable) {
    // fetch wraps what happened in a TypeError of its own.
    const { cause } = error;
    const { cause: reason } = (cause ?? {}) as { cause?: { code?: string } };
    if (reason?.code === REFUSED) return known ? Number.POSITIVE_INFINITY : RETRIES_OF_STRANGERS;
    if (!repeatable) return 0;
    // A browser that is offline is told soon; its owner decides what is still to happen afterwards.
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
 * found nobody listening, or lost its connection, is repeated for half a minute. Where nobody has ever answered it is
 * told after two more attempts.
 *
 * @returns milliseconds; null when it must not be repeated, or would fail again
 */
export function pauseBefore(error: unknown, failed: FailedRequest): number | null {
  const { retries, elapsedMs, maxRetries = Number.POSITIVE_INFINITY } = failed;
  if (retries >= Math.min(maxRetries, mostRetries(error, failed))) return null;
  const backoff = Math.min(FIRST_PAUSE_MS * 2 ** retries, LONGEST_PAUSE_MS) * (1 - Math.random() / 3);
  const told = error instanceof ApiCallError ? 1000 * (error.retryAfter ?? 0) : 0;
  const pause = Math.max(backoff, told);
  return elapsedMs + pause > PATIENCE_MS ? null : pause;
}
