/** How long a request works on a payout before it returns its progress: less than clients and proxies wait. */
export const REQUEST_MS = 15_000;

/** For how long a payout counts as worked on after a request's last sign of life; past that it is paused. */
export const WORK_MS = 60_000;

/** How long its client has to repeat a request that has ended. */
export const PAUSE_AFTER_MS = 15_000;
