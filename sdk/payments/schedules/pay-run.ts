import { fromHex } from "@/lib/ledger/crypto/bytes";
import { runMarks } from "@/lib/ledger/crypto/run-marks";
import { earliestPayment } from "@/lib/policy/calendar/earliest-payment";
import { inOrder, isScheduleOver, planRuns } from "@/lib/policy/calendar/plan-runs";
import { REFUSED_RUN, runOf } from "@/lib/policy/calendar/run-of";
import { HalcyonError } from "../../api/errors";
import { only } from "../../api/only";
import type { Schedule, ScheduleRun, ScheduleRunDetails } from "../../api/resources/schedules";
import type { Context } from "../../context/context";
import type { AttemptOptions, OwnAttemptOptions } from "../attempts/attempt-options";
import { sendRun } from "../send-run";
import { decryptSchedule, type OpenedSchedule } from "./open-schedule";
import { callSchedules, checkVersion, getRun, getSchedule, pathOf, payRunByKey } from "./schedule-calls";

/** Options for paying a run. */
export interface PayRunInput {
  /** Pays even if the run was missed, or its schedule is paused: you consent to pay it now. */
  late?: boolean | undefined;
  /** The version you read: if the schedule's version differs, nothing is paid. */
  version?: number | undefined;
}

/** The options of a run's payment: its idempotency key with an API key, and who keeps records of what leaves. */
type PayRunOptions = PayRunInput & Pick<AttemptOptions, "idempotencyKey" | "onPending">;

/**
 * Pays a run. With the wallet, this machine decrypts the schedule and decides by it and by its own clock; otherwise the
 * service pays with the API key. The run's seed is the same either way, so it is paid only once.
 *
 * @throws HalcyonError `run_not_payable`, `schedule_changed`, and what a payment throws
 */
export async function payRun(
  context: Context,
  scheduleId: string,
  runId: string,
  { late, version, idempotencyKey, onPending }: PayRunOptions = {},
  now = new Date(),
): Promise<ScheduleRunDetails> {
  if (!context.hasWallet) {
    const json = { late, version };
    return payRunByKey(context, scheduleId, runId, { json, idempotencyKey });
  }
  const [opened, run] = await Promise.all([
    getSchedule(context, scheduleId).then((schedule) => decryptSchedule(context, schedule)),
    getRun(context, scheduleId, runId),
  ]);
  if (run.status === "paid") return run;
  checkVersion(opened.schedule, version);
  return payOpenedRun(context, opened, run, { late, onPending }, now);
}

/** Like {@link payRun}, for a schedule that is already decrypted. */
export async function payOpenedRun(
  context: Context,
  { schedule, terms }: OpenedSchedule,
  { run_id: runId, date }: ScheduleRun,
  { late = false, onPending }: PayRunOptions,
  now = new Date(),
): Promise<ScheduleRunDetails> {
  const { schedule_id: scheduleId } = schedule;
  const payable = runOf(terms, date, { now, late });
  if (typeof payable === "string") throw new HalcyonError("run_not_payable", REFUSED_RUN[payable]);
  const { payments, asset, seed } = payable.part;
  const scope = await context.scope();
  const marks = runMarks(fromHex(seed), { scope, account: context.wallet.address, schedule: scheduleId, date });
  const run = { id: runId, marks };
  // Pay the address that the owner stored, whatever the handle resolves to today.
  const list = payments.map(({ address, amount, memo }) => ({
    to: address,
    amount,
    ...(memo !== undefined && { memo }),
  }));
  // The key is the same in every process, so that a payment begun by an earlier one is found on chain.
  const idempotencyKey = `${scheduleId}/${date}`;
  const searchSeconds = Math.ceil((Date.now() - earliestPayment(date).getTime()) / 1_000);
  const options: OwnAttemptOptions = { idempotencyKey, onPending, shared: true, searchSeconds };
  try {
    await sendRun(context, { payments: list, asset, ...options }, run);
  } catch (error) {
    const now = await getRun(context, scheduleId, runId);
    // Another runner was first; it pays the same notes.
    if (now.status === "paid" || now.status === "paying") return now;
    throw error;
  }
  await planNext(context, { schedule: await getSchedule(context, scheduleId), terms }, now);
  return getRun(context, scheduleId, runId);
}

/** Reports to the service which dates are due and which comes next, if it doesn't know. Safe to repeat. */
export async function planNext(
  context: Context,
  { schedule, terms }: OpenedSchedule,
  now = new Date(),
): Promise<Schedule> {
  const { schedule_id: id, version, encrypted, status, next_run } = schedule;
  if (status !== "active" || next_run) return schedule;
  const runs = inOrder(planRuns(terms, encrypted?.last_date ?? null, now));
  const is_last = isScheduleOver(terms, now);
  if (runs.length === 0 && !is_last) return schedule;
  const said = runs.map(({ date, dueAt }) => ({ date, due_at: dueAt.toISOString() }));
  const json = { version, runs: said, is_last };
  return only("schedule_id", id, callSchedules<Schedule>(context, "POST", pathOf(id, "runs"), { json }), true);
}
