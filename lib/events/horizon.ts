import { sql } from "drizzle-orm";

/**
 * The time up to which every event is there to be read, as an SQL expression (docs/decisions/0007). Transactions commit
 * in another order than their events have: a reader that went past one still to be committed would never see it. So
 * nothing is shown that is as young as the oldest writer under way. The margins are for clocks that differ, and for
 * what passes between reading the clock and beginning to write.
 */
export const HORIZON = sql`(
  select least(now() - interval '250 milliseconds', min(xact_start) - interval '1 second')
  from pg_stat_activity
  where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid())`;
