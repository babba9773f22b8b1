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
