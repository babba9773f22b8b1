import { type SQL, sql } from "drizzle-orm";

/**
 * Returns the time some milliseconds from now, by the database's clock, which all processes share: what is recorded by
 * the clock of one that is ahead would last too long.
 */
export const fromNow = (ms: number): SQL<Date> => sql`clock_timestamp() + make_interval(secs => ${ms / 1_000}::float8)`;
