/**
 * What PostgreSQL ends by itself, in milliseconds: waiting for a lock, a statement, a transaction in which nothing
 * happens. Each gets a 503 (db/database-away.ts). What needs longer, in the worker or a script, says so in
 * its own transaction (`unhurried`).
 */
export const TIMEOUTS = {
  lock_timeout: 5_000,
  statement_timeout: 15_000,
  idle_in_transaction_session_timeout: 30_000,
} as const;

/**
 * How PostgreSQL plans the service's statements, whose plans serve every account. It takes one for an account of average
 * size, sees a few rows, and would sort them rather than probe the index of each partition, since to read an empty
 * partition from end to end costs nothing. For a busy account that reads and sorts everything it has, for one page.
 * Statements read by an index or not at all; what reads whole tables says so ({@link WHOLE_TABLES}).
 * A plan that has to read one all the same is priced so high that PostgreSQL would compile it each time: it does not.
 */
export const PLANNING = { enable_seqscan: "off", jit: "off" } as const;

/** For a transaction that reads tables from end to end. */
export const WHOLE_TABLES = { enable_seqscan: "on" } as const;
