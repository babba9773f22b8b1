import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";

/**
 * Schedules. When, whom and how much they pay is only in `encrypted`, encrypted under the account secret. Rows are not
 * trusted: the payer follows the encrypted text, which is bound to account, id and version.
 */
export const schedules = pgTable(
  "schedules",
  {
    id: text("id").primaryKey(),
    chainId: integer("chain_id").notNull(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    status: text("status", { enum: ["active", "paused", "finished", "ended"] }).notNull(),
    version: integer("version").notNull(), // from 1, increased by each change
    encrypted: hex("encrypted").notNull(), // emptied when it has ended, or is finished and all is paid
    secretVersion: integer("secret_version").notNull(),
    windowSeconds: integer("window_seconds").notNull(), // for how long a run stays payable
    lastDate: text("last_date"), // date of its newest run; only a client knows later dates
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("schedules_account").on(t.accountId, t.chainId, t.id),
    index("schedules_status").on(t.accountId, t.chainId, t.status, t.id),
    index("schedules_finished").on(t.id).where(sql`${t.status} = 'finished' and ${t.encrypted} <> ''`),
    index("schedules_live").on(t.accountId, t.chainId, t.id).where(sql`${t.status} <> 'ended'`),
  ],
);

/**
 * One date of a schedule, reported by a client that could decrypt it. Of the future dates, the service knows only the
 * next.
 */
export const scheduleRuns = pgTable(
  "schedule_runs",
  {
    id: text("id").primaryKey(),
    scheduleId: text("schedule_id")
      .notNull()
      .references(() => schedules.id),
    chainId: integer("chain_id").notNull(),
    accountId: text("account_id").notNull(),
    date: text("date").notNull(), // the rule's date, such as 2026-11-30
    dueAt: instant("due_at").notNull(),
    windowEndsAt: instant("window_ends_at").notNull(),
    status: text("status", {
      enum: ["planned", "due", "paying", "paid", "missed", "skipped", "cancelled"],
    }).notNull(),
    failure: text("failure"), // error code of the newest failed attempt
    paidAt: instant("paid_at"), // when its owner was notified that it was paid
    missedAt: instant("missed_at"), // when its owner was notified that it was missed
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("schedule_runs_date").on(t.scheduleId, t.date),
    index("schedule_runs_listed").on(t.scheduleId, t.dueAt, t.id),
    index("schedule_runs_status").on(t.accountId, t.chainId, t.status, t.dueAt, t.id),
    index("schedule_runs_open").on(t.scheduleId, t.status).where(sql`${t.status} in ('planned', 'due', 'paying')`),
  ],
);
