import type { CallOptions } from "../api/call-options";
import { checkInput, checkText } from "../api/check-input";
import { OPTIONAL_PAGE, type Paged, paged } from "../api/paged";
import type {
  Schedule,
  ScheduleList,
  ScheduleRun,
  ScheduleRunDetails,
  ScheduleRunList,
  WrittenSchedule,
} from "../api/resources/schedules";
import type { DecryptedSchedule } from "../payments/schedules/decrypt-schedule";
import type { PayRunInput } from "../payments/schedules/pay-run";
import type { RunOutcome } from "../payments/schedules/run-due";
import type { ListRunsInput, ListSchedulesInput } from "../payments/schedules/schedule-calls";
import type { ChangeScheduleInput, CreateScheduleInput, SkipDateInput } from "../payments/schedules/write-schedule";
import { Resource } from "./resource";

const FIELDS = {
  rule: "object",
  payments: "object",
  asset: "text",
  name: "text",
  automatic: "flag",
  windowSeconds: "count",
} as const;

/**
 * Payments at set times: `halcyon.schedules`. With the wallet, this machine encrypts and pays schedules; with only an
 * API key, the service does so during the request. The service stores nothing with which it could pay a run by itself.
 */
export class SchedulesResource extends Resource {
  /**
   * Creates a schedule. Recipients, amounts and dates are encrypted; the service knows only when the next run is due.
   *
   * @example
   * const rent = await halcyon.schedules.create({
   *   rule: { frequency: "monthly", day: 1, start: "2027-01-01", time_zone: "Europe/Berlin", weekends: "before" },
   *   payments: [{ to: "@landlord", amount: "1200" }],
   * });
   * rent.next_dates; // the next five
   * @throws HalcyonError `invalid_request` naming the field, `recipient_not_found`, `recipient_not_confidential_ready`
   */
  async create(input: CreateScheduleInput, options?: CallOptions): Promise<WrittenSchedule> {
    checkInput(input, { ...FIELDS, rule: "object!", payments: "object!" });
    const { createSchedule } = await import("./lazy-calls");
    return createSchedule(this.context.within(options), input, options?.idempotencyKey);
  }

  /** Lists the schedules, newest first, without recipients and amounts. */
  list(input: ListSchedulesInput = {}, options?: CallOptions): Paged<ScheduleList, Schedule> {
    checkInput(input, { ...OPTIONAL_PAGE, status: "text", due: "flag", stale: "flag" });
    const context = this.context.within(options);
    const read = async (page: ListSchedulesInput) => (await import("./lazy-calls")).listSchedules(context, page);
    return paged({ read, entries: ({ schedules }) => schedules, id: ({ schedule_id }) => schedule_id }, input);
  }

  /**
   * Returns one schedule, without recipients and amounts.
   *
   * @throws HalcyonError `not_found`
   */
  async get(scheduleId: string, options?: CallOptions): Promise<Schedule> {
    checkText("scheduleId", scheduleId);
    const { getSchedule } = await import("./lazy-calls");
    return getSchedule(this.context.within(options), scheduleId);
  }

  /** Returns one schedule with its recipients, dates and amounts, decrypted on this machine. Needs the wallet. */
  async getDecrypted(scheduleId: string, options?: CallOptions): Promise<DecryptedSchedule> {
    checkText("scheduleId", scheduleId);
    const { getSchedule, decryptSchedule } = await import("./lazy-calls");
    const context = this.context.within(options);
    return decryptSchedule(context, await getSchedule(context, scheduleId));
  }

  /** Changes a schedule. Takes effect with the next date; runs that are already due stay as they are. */
  async update(scheduleId: string, input: ChangeScheduleInput, options?: CallOptions): Promise<WrittenSchedule> {
    checkText("scheduleId", scheduleId);
    checkInput(input, { ...FIELDS, status: "text", version: "count" });
    const { changeSchedule } = await import("./lazy-calls");
    return changeSchedule(this.context.within(options), scheduleId, input);
  }

  /** Pauses a schedule until you resume it. Dates that pass meanwhile are never paid. */
  pause(scheduleId: string, options?: CallOptions): Promise<WrittenSchedule> {
    return this.update(scheduleId, { status: "paused" }, options);
  }

  /** Resumes a schedule from its next date. */
  resume(scheduleId: string, options?: CallOptions): Promise<WrittenSchedule> {
    return this.update(scheduleId, { status: "active" }, options);
  }

  /** Skips the next date, or the one you name. */
  async skip(scheduleId: string, input: SkipDateInput = {}, options?: CallOptions): Promise<WrittenSchedule> {
    checkText("scheduleId", scheduleId);
    checkInput(input, { date: "text", version: "count" });
    const { skipDate } = await import("./lazy-calls");
    return skipDate(this.context.within(options), scheduleId, input, options?.idempotencyKey);
  }

  /** Ends a schedule for good, and deletes its contents. */
  async end(scheduleId: string, options?: CallOptions): Promise<{ schedule_id: string }> {
    checkText("scheduleId", scheduleId);
    const { endSchedule } = await import("./lazy-calls");
    return endSchedule(this.context.within(options), scheduleId);
  }

  /** Lists the runs of a schedule, latest date first. */
  runs(scheduleId: string, input: ListRunsInput = {}, options?: CallOptions): Paged<ScheduleRunList, ScheduleRun> {
    checkText("scheduleId", scheduleId);
    checkInput(input, OPTIONAL_PAGE);
    const context = this.context.within(options);
    const read = async (page: ListRunsInput) => (await import("./lazy-calls")).listRuns(context, scheduleId, page);
    return paged({ read, entries: ({ runs }) => runs, id: ({ run_id }) => run_id }, input);
  }

  /**
   * Returns one run with its transfers.
   *
   * @throws HalcyonError `not_found`
   */
  async getRun(scheduleId: string, runId: string, options?: CallOptions): Promise<ScheduleRunDetails> {
    checkText("scheduleId", scheduleId);
    checkText("runId", runId);
    const { getRun } = await import("./lazy-calls");
    return getRun(this.context.within(options), scheduleId, runId);
  }

  /** Records which dates are due and which comes next, as `runDue` does, but pays nothing. Safe to repeat. */
  async plan(scheduleId: string, options?: CallOptions): Promise<Schedule> {
    checkText("scheduleId", scheduleId);
    const { planSchedule } = await import("./lazy-calls");
    return planSchedule(this.context.within(options), scheduleId, options?.idempotencyKey);
  }

  /**
   * Pays one run. It is paid once, however many programs try to pay it. Pass `late: true` to consent to paying a missed
   * run.
   *
   * @throws HalcyonError `run_not_payable`, `schedule_changed`, `insufficient_balance` and what a payment throws
   */
  async payRun(
    scheduleId: string,
    runId: string,
    input: PayRunInput = {},
    options?: CallOptions,
  ): Promise<ScheduleRunDetails> {
    checkText("scheduleId", scheduleId);
    checkText("runId", runId);
    checkInput(input, { late: "flag", version: "count" });
    const { payRun } = await import("./lazy-calls");
    return payRun(this.context.within(options), scheduleId, runId, {
      ...input,
      idempotencyKey: options?.idempotencyKey,
    });
  }

  /**
   * Pays every run that is due now: one pass of a runner, for cron or a loop. With a key that is limited to one
   * schedule, pass that schedule.
   *
   * @example
   * for (const { run_id, status, error } of await halcyon.schedules.runDue()) {
   *   console.log(run_id, status, error?.message);
   * }
   */
  async runDue(input: { schedule?: string | undefined } = {}, options?: CallOptions): Promise<RunOutcome[]> {
    checkInput(input, { schedule: "text" });
    const { runDue } = await import("./lazy-calls");
    return runDue(this.context.within(options), input.schedule);
  }
}
