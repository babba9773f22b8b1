import { z } from "zod";
import { isoTime } from "@/lib/base/clock";
import { ERROR_STATUS } from "@/lib/base/errors";
import { hexField, idField, timeField, timeOrNull } from "@/lib/base/response-fields";
import type { RunRow } from "@/lib/payments/schedules/runs/run-rows";
import type { WrittenSchedule } from "./create-schedule";
import type { RunView } from "./get-run";
import type { RunPage, SchedulePage } from "./list-schedules";
import type { ScheduleView } from "./schedule-view";

const RUN_FIELDS = {
  run_id: idField("scheduleRun", "Identifies the run."),
  schedule_id: idField("schedule", "The schedule it belongs to."),
  date: z.string().meta({
    description: "The date of the schedule's rule. A weekend may move the payment to another day.",
    wire: { type: "string", format: "date" },
  }),
  due_at: timeField("When it is due."),
  window_ends_at: timeField("Until when it can be paid without your consent."),
  status: z.enum(["planned", "due", "paying", "paid", "missed", "skipped", "cancelled"]).meta({
    description:
      "`planned`: the next one. `due`: a client that holds a key pays it. `paying`: its transfers are not final yet. `paid`. `missed`: no client paid it within its window. `skipped`: you left it out. `cancelled`: the schedule ended before it was paid.",
  }),
  failure: z.string().nullable().meta({
    description:
      "Of a run that is due: the error code of the newest attempt to pay it, such as `insufficient_balance`, or `transfer_failed`; null without one.",
  }),
  paid_at: timeOrNull("When its transfers became final."),
};

/** A run in lists. */
const RunResource = z.object(RUN_FIELDS).meta({ id: "ScheduleRun", description: "One date of a schedule." });
type RunResource = z.infer<typeof RunResource>;

/** A run with the transfers that pay it. */
export const RunDetails = z
  .object({
    ...RUN_FIELDS,
    transfers: z
      .array(
        z.object({
          transfer_id: idField("transfer", "Identifies the transfer."),
          to: z.string().meta({ description: "The recipient, as the schedule names it." }),
          status: z.enum(["pending", "confirmed", "failed"]).meta({ description: "The status of the transfer." }),
          tx_hash: hexField(32, "Hash of the transaction on chain."),
        }),
      )
      .meta({ description: "The transfers of every attempt, oldest first." }),
  })
  .meta({ id: "ScheduleRunDetails", description: "One date of a schedule, with its transfers." });

const SCHEDULE_FIELDS = {
  schedule_id: idField("schedule", "Identifies the schedule."),
  status: z.enum(["active", "paused", "finished", "ended"]).meta({
    description:
      "`finished`: no date is left; its text is deleted once all is paid. `ended`: you ended it, and its text is deleted.",
  }),
  version: z.int().meta({ description: "Counts from 1, one more at each change." }),
  window_seconds: z.int().meta({ description: "How long a run can be paid after it is due." }),
  next_run: RunResource.nullable().meta({
    description:
      "The next run. null when the schedule is not active, and until a client that holds a key has said which date comes next.",
  }),
  due_runs: z.array(RunResource).meta({ description: "The runs that are due or being paid, oldest first." }),
  created_at: timeField("When it was created."),
  updated_at: timeField("When it last changed."),
  encrypted: z
    .object({
      ciphertext: z.string().meta({ description: "The encrypted schedule: 0x and hex." }),
      secret_version: z.int().meta({ description: "Version of the account secret that decrypts it." }),
      last_date: z.string().nullable().meta({ description: "The date of its newest run; null without one." }),
    })
    .optional()
    .meta({ description: "The encrypted schedule; only with `include=encrypted`." }),
};

/** A schedule as the API returns it, without whom it pays, how much or how often. */
export const ScheduleResource = z
  .object(SCHEDULE_FIELDS)
  .meta({ id: "Schedule", description: "A schedule. When, whom and how much it pays is encrypted." });
export type ScheduleResource = z.infer<typeof ScheduleResource>;

/** A schedule that was just created or changed. */
export const WrittenScheduleResource = z
  .object({
    ...SCHEDULE_FIELDS,
    next_dates: z
      .array(
        z.object({
          date: RUN_FIELDS.date,
          due_at: timeField("When it will be due."),
        }),
      )
      .meta({
        description:
          "The next five dates. The service does not keep them, and knows none of a schedule that you encrypted.",
      }),
  })
  .meta({ id: "WrittenSchedule", description: "A schedule, and its next dates." });

const PAGE = {
  limit: z
    .number()
    .meta({ description: "Number of entries requested.", wire: { type: "integer", minimum: 1, maximum: 100 } }),
  has_more: z.boolean().meta({ description: "Whether more entries follow this page." }),
};

export const ScheduleList = z
  .object({ schedules: z.array(ScheduleResource).meta({ description: "The schedules of this page." }), ...PAGE })
  .meta({ id: "ScheduleList", description: "Schedules, newest first." });

export const RunList = z
  .object({ runs: z.array(RunResource).meta({ description: "The runs of this page." }), ...PAGE })
  .meta({ id: "ScheduleRunList", description: "Runs of a schedule, latest date first." });

export function toRun(run: RunRow): RunResource {
  return {
    run_id: run.id,
    schedule_id: run.scheduleId,
    date: run.date,
    due_at: isoTime(run.dueAt),
    window_ends_at: isoTime(run.windowEndsAt),
    status: run.status,
    failure:
      run.failure !== null && (run.failure in ERROR_STATUS || run.failure === "transfer_failed") ? run.failure : null,
    paid_at: run.status === "paid" && run.paidAt ? isoTime(run.paidAt) : null,
  };
}

export function toRunDetails({ run, transfers }: RunView) {
  return {
    ...toRun(run),
    transfers: transfers.map(({ id, to, status, txHash }) => ({ transfer_id: id, to, status, tx_hash: txHash })),
  };
}

export function toSchedule({ row, open }: ScheduleView, include?: "encrypted"): ScheduleResource {
  const next = open.find(({ status }) => status === "planned");
  const { encrypted, secretVersion, lastDate } = row;
  return {
    schedule_id: row.id,
    status: row.status,
    version: row.version,
    window_seconds: row.windowSeconds,
    next_run: next ? toRun(next) : null,
    due_runs: open.filter(({ status }) => status !== "planned").map(toRun),
    created_at: isoTime(row.createdAt),
    updated_at: isoTime(row.updatedAt),
    ...(include && { encrypted: { ciphertext: encrypted, secret_version: secretVersion, last_date: lastDate } }),
  };
}

export function toWritten(written: WrittenSchedule, include?: "encrypted") {
  const next = written.nextDates.map(({ date, dueAt }) => ({ date, due_at: isoTime(dueAt) }));
  return { ...toSchedule(written, include), next_dates: next };
}

export function toScheduleList({ list, limit, hasMore }: SchedulePage, include?: "encrypted") {
  return { schedules: list.map((view) => toSchedule(view, include)), limit, has_more: hasMore };
}

export function toRunList({ list, limit, hasMore }: RunPage) {
  return { runs: list.map(toRun), limit, has_more: hasMore };
}
