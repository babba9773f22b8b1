import { ApiCallError, ServiceUnreachable } from "./errors";

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 5_000;
/** Whoever is told to wait longer is told so at once. */
const LONGEST_WAIT_SECONDS = 30;

/** What Node says when a request may never have arrived, or its answer was lost. Browsers do not say. */
const BROKEN = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "EAI_AGAIN"]);

/** Whether waiting may repair a broken connection. Where nobody listens, or at no address, it is told at once. */
function isPassing({ cause }: ServiceUnreachable): boolean {
  // fetch wraps what happened in a TypeError of its own.
  const { cause: reason } = (cause ?? {}) as { cause?: { code?: string } };
  if (reason === undefined) return cause instanceof TypeError;
  return BROKEN.has(reason.code ?? "") || reason.code?.startsWith("UND_ERR_") === true;
}

/**
 * How long to wait before a request that failed is repeated: the service's `Retry-After`, else twice as long each time, up
 * to a third less by chance so that many clients do not come back at once.
 *
 * @param retries how often it was repeated already
 * @param repeatable whether doing it twice is doing it once: a read, or a request with an idempotency key
 * @returns milliseconds; null when it must not be repeated, or would fail again
 */
export function pauseBefore(error: unknown, retries: number, repeatable: boolean): number | null {
  const backoff = Math.min(FIRST_PAUSE_MS * 2 ** retries, LONGEST_PAUSE_MS) * (1 - Math.random() / 3);
  if (error instanceof ServiceUnreachable) return repeatable && isPassing(error) ? backoff : null;
  if (!(error instanceof ApiCallError)) return null;
  const { code, status, retryAfter } = error;
  // A request that the rate limit refused has done nothing.
  const again = status === 429 || (repeatable && (status >= 500 || code === "idempotency_in_progress"));
  if (!again || (retryAfter ?? 0) > LONGEST_WAIT_SECONDS) return null;
  return Math.max(backoff, 1000 * (retryAfter ?? 0));
}
