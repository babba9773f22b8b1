import { index, integer, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "./columns";

/**
 * Scheduled jobs, one row each: when a job runs, and which worker runs it at the moment (lib/base/scheduler). No row
 * contains an amount or a secret: inputs are ids.
 */
export const jobs = pgTable(
  "jobs",
  {
    name: text("name").notNull(), // its declaration in lib/base/scheduler/catalogue.ts
    key: text("key").notNull(), // distinguishes jobs of that name
    input: json("input").$type<Record<string, unknown>>().notNull(),
    nextRun: instant("next_run"), // null: given up after the last allowed run failed
    attempt: integer("attempt").notNull().default(0), // runs started since the last success
    revision: integer("revision").notNull().default(0), // increases when it is scheduled again, also while it runs
    lease: text("lease"), // the worker that runs it
    leaseUntil: instant("lease_until"),
  },
  (t) => [primaryKey({ columns: [t.name, t.key] }), index("jobs_next_run").on(t.nextRun)],
);
