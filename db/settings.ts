/**
 * PostgreSQL's time limits, in milliseconds: for a lock, a statement and an idle transaction. A request that hits one
 * gets a 503 (db/database-away.ts), and so does one whose connection is silent for 5 s longer (db/connect.ts). Workers
 * and scripts that need longer lift the limits in their own transaction (`withoutTimeouts`).
 */
export const TIMEOUTS = {
  lock_timeout: 5_000,
  statement_timeout: 8_000,
  idle_in_transaction_session_timeout: 30_000,
} as const;

/**
 * How PostgreSQL plans the service's statements. Prepared plans serve every account. The planner assumes an account of
 * average size with few rows, and prefers sorting them to probing each partition's index, because scanning an empty
 * partition costs nothing. For a busy account this would read and sort everything it has for a single page. So
 * sequential scans are off; transactions that read whole tables turn them on ({@link WHOLE_TABLES}). A plan that needs
 * one anyway gets such a high cost that PostgreSQL would compile it each time, so JIT is off too.
 */
export const PLANNING = { enable_seqscan: "off", jit: "off" } as const;

/** For a transaction that reads whole tables. */
export const WHOLE_TABLES = { enable_seqscan: "on" } as const;

/**
 * For how many milliseconds a transaction that holds a chain's lock, or has no other limits, may be idle, and how often
 * its process says that it still works on it ({@link beat}). One that is frozen loses its locks like one that has died.
 */
export const HOLDER = { idleMs: 20_000, beatMs: 5_000 };
