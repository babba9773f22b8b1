/**
 * How long a request works on a payout before it returns the progress. Shorter than the timeouts of clients and
 * proxies.
 */
export const REQUEST_MS = 15_000;

/** How long a payout counts as being worked on after a request's last sign of life. After that it is paused. */
export const WORK_MS = 60_000;

/** How long the client has to send the next request before the payout is paused. */
export const PAUSE_AFTER_MS = 15_000;
