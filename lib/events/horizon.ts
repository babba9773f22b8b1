import { sql } from "drizzle-orm";

/**
 * The time before which all events are visible, as an SQL expression (docs/design/webhooks.md). Transactions may commit
 * in another order than that of their events. A reader that continued past an event that commits later would never see
 * it. So events younger than the oldest running writer are withheld. The margins allow for clocks that differ, and for
 * the time between reading the clock and starting to write.
 */
export const HORIZON = sql`(
  select least(now() - interval '250 milliseconds', min(xact_start) - interval '1 second')
  from pg_stat_activity
  where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid())`;
