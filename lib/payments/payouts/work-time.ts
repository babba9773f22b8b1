import { type SQL, sql } from "drizzle-orm";

/**
 * How long a request works on a payout before it returns the progress. Shorter than the timeouts of clients and
 * proxies.
 */
export const REQUEST_MS = 15_000;

/** How long a payout counts as being worked on after a request's last sign of life. After that it is paused. */
export const WORK_MS = 60_000;

/** How long the client has to send the next request before the payout is paused. */
export const PAUSE_AFTER_MS = 15_000;

/** Returns the time some milliseconds from now, by the database's clock: those of the processes may differ. */
export const workingFor = (ms: number): SQL<Date> => sql`now() + make_interval(secs => ${ms / 1_000}::float8)`;
