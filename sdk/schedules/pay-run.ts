import { fromHex } from "@/lib/ledger/crypto/bytes";
import { runMarks } from "@/lib/ledger/crypto/run-marks";
import { inOrder, isOver, planRuns } from "@/lib/schedule-rules/plan-runs";
import { REFUSED_RUN, runOf } from "@/lib/schedule-rules/run-of";
import { HalcyonError } from "../api/errors";
import type { Schedule, ScheduleRun, ScheduleRunDetails } from "../api/resources/schedules";
import type { Context } from "../context/context";
import { sendRun } from "../payments/send-run";
import { decryptSchedule, type OpenedSchedule } from "./open-schedule";
import { callSchedules, checkVersion, getRun, getSchedule, pathOf } from "./schedule-calls";

/** How a run is paid. */
export interface PayRunInput {
  /** Also when it was missed, or its schedule is paused: you consent to pay it now. */
  late?: boolean | undefined;
  /** The version you read: if the schedule has another one, nothing is paid. */
  version?: number | undefined;
}

/** A run's payment, and how it is asked for. */
type PayRunOptions = PayRunInput & { idempotencyKey?: string | undefined };

/**
 * Pays a run: with the wallet by this machine, which decrypts the schedule and decides by it and by its own clock; else the
 * service pays with the API key. Either way the run's seed is the same, so it is paid once.
 *
 * @throws HalcyonError `run_not_payable`, `schedule_changed`, and what a payment throws
 */
export async function payRun(
  context: Context,
  scheduleId: string,
  runId: string,
  { late, version, idempotencyKey }: PayRunOptions = {},
  now = new Date(),
): Promise<ScheduleRunDetails> {
  if (!context.hasWallet) {
    const json = { late, version };
    return callSchedules(context, "POST", pathOf(scheduleId, "runs", runId, "pay"), { json, idempotencyKey });
  }
  const [opened, run] = await Promise.all([
    getSchedule(context, scheduleId).then((schedule) => decryptSchedule(context, schedule)),
    getRun(context, scheduleId, runId),
  ]);
  if (run.status === "paid") return run;
  checkVersion(opened.schedule, version);
  return payOpened(context, opened, run, { late }, now);
}

/** As {@link payRun}, of a schedule that is decrypted. */
export async function payOpened(
  context: Context,
  { schedule, terms }: OpenedSchedule,
  { run_id: runId, date }: ScheduleRun,
  { late = false }: PayRunOptions,
  now = new Date(),
): Promise<ScheduleRunDetails> {
  const { schedule_id: scheduleId } = schedule;
  const payable = runOf(terms, date, { now, late });
  if (typeof payable === "string") throw new HalcyonError("run_not_payable", REFUSED_RUN[payable]);
  const { payments, asset, seed } = payable.part;
  const scope = await context.scope();
  const marks = runMarks(fromHex(seed), { scope, account: context.wallet.address, schedule: scheduleId, date });
  const run = { id: runId, marks };
  // To the address that the owner wrote down: whom the handle names today is no matter.
  const list = payments.map(({ address, amount, memo }) => ({
    to: address,
    amount,
    ...(memo !== undefined && { memo }),
  }));
  // The same in every process: what an earlier one has begun is found on chain.
  const options = { idempotencyKey: `${scheduleId}/${date}` };
  try {
    await sendRun(context, { payments: list, asset, ...options }, run);
  } catch (error) {
    const now = await getRun(context, scheduleId, runId);
    // Another runner was first: it pays the same notes.
    if (now.status === "paid" || now.status === "paying") return now;
    throw error;
  }
  await planNext(context, { schedule: await getSchedule(context, scheduleId), terms }, now);
  return getRun(context, scheduleId, runId);
}

/** Says which dates are due and which comes next, where the service does not know. Safe to repeat. */
export async function planNext(
  context: Context,
  { schedule, terms }: OpenedSchedule,
  now = new Date(),
): Promise<Schedule> {
  const { schedule_id: id, version, encrypted, status, next_run } = schedule;
  if (status !== "active" || next_run) return schedule;
  const runs = inOrder(planRuns(terms, encrypted?.last_date ?? null, now));
  const is_last = isOver(terms, now);
  if (runs.length === 0 && !is_last) return schedule;
  const said = runs.map(({ date, dueAt }) => ({ date, due_at: dueAt.toISOString() }));
  return callSchedules<Schedule>(context, "POST", pathOf(id, "runs"), { json: { version, runs: said, is_last } });
}
