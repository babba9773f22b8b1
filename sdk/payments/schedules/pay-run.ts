import type { Hex } from "viem";
import { earliestPayment } from "@/lib/base/earliest-payment";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { runMarks } from "@/lib/ledger/crypto/run-marks";
import { inOrder, isScheduleOver, planRuns } from "@/lib/policy/calendar/plan-runs";
import { REFUSED_RUN, runOf } from "@/lib/policy/calendar/run-of";
import { HalcyonError } from "../../api/errors";
import { requireSameId } from "../../api/require-same-id";
import type { Schedule, ScheduleRun, ScheduleRunDetails } from "../../api/resources/schedules";
import type { Context } from "../../context/context";
import type { AttemptOptions, OwnAttemptOptions } from "../attempts/attempt-options";
import { findMarked } from "../attempts/earlier-attempt";
import { type RunToPay, type SendOptions, sendAndSettle } from "../send";
import { type SendManyInput, sendMany } from "../send-many";
import { type DecryptedSchedule, decryptSchedule } from "./decrypt-schedule";
import { checkVersion, getRun, getSchedule, pathOf, payRunByKey, writeSchedule } from "./schedule-calls";

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
  if (run.status === "paid") {
    const paid = await paidBefore(context, opened, run);
    if (paid) return paid;
    throw new HalcyonError("unavailable", "The ledger does not show a run that the service calls paid.");
  }
  checkVersion(opened.schedule, version);
  return payDecryptedRun(context, opened, run, { late, onPending }, now);
}

/** How long a payment that another runner has made may take to be on the chain, in milliseconds. */
const SETTLING_MS = 10_000;
const LOOK_MS = 500;

/** Returns what identifies a run's payment on chain, and for how many seconds it can have been there. */
async function marksOf(context: Context, { schedule }: DecryptedSchedule, date: string, seed: string) {
  const scope = await context.scope();
  const place = { scope, account: context.wallet.address, schedule: schedule.schedule_id, date };
  const searchSeconds = Math.ceil((Date.now() - earliestPayment(date).getTime()) / 1_000);
  return { marks: runMarks(fromHex(seed), place), searchSeconds };
}

/** Returns a run with the transaction that pays it. That it is paid, the chain shows; ids and times are the service's. */
function paidRun(run: ScheduleRun & Partial<ScheduleRunDetails>, payees: readonly string[], tx_hash: Hex) {
  const [only] = payees.length === 1 ? payees : [];
  const transfers = (run.transfers ?? [])
    .filter((one) => one.tx_hash === tx_hash && (only ?? payees.includes(one.to)))
    .map(({ transfer_id, to }) => ({ transfer_id, to: only ?? to, status: "confirmed" as const, tx_hash }));
  return { ...run, status: "paid" as const, failure: null, transfers };
}

/** Returns a run that the ledger shows as paid, under any version of its schedule that has this seed; null otherwise. */
async function paidBefore(
  context: Context,
  opened: DecryptedSchedule,
  run: ScheduleRunDetails,
): Promise<ScheduleRunDetails | null> {
  for (const { seed, payments } of opened.terms.parts) {
    const { marks, searchSeconds } = await marksOf(context, opened, run.date, seed);
    const found = await findMarked(context, context.wallet.address, marks, searchSeconds);
    const payees = payments.map(({ to }) => to);
    if (found) return paidRun(run, payees, found.event.transactionHash);
  }
  return null;
}

/** Like {@link payRun}, for a schedule that is already decrypted. */
export async function payDecryptedRun(
  context: Context,
  opened: DecryptedSchedule,
  run: ScheduleRun,
  { late = false, onPending }: PayRunOptions,
  now = new Date(),
): Promise<ScheduleRunDetails> {
  const { schedule, terms } = opened;
  const { run_id: runId, date } = run;
  const { schedule_id: scheduleId } = schedule;
  const payable = runOf(terms, date, { now, late });
  if (typeof payable === "string") throw new HalcyonError("run_not_payable", REFUSED_RUN[payable]);
  const { payments, asset, seed } = payable.part;
  const { marks, searchSeconds } = await marksOf(context, opened, date, seed);
  // Pay the address that the owner stored, whatever the handle resolves to today.
  const list = payments.map(({ address, amount, memo }) => ({
    to: address,
    amount,
    ...(memo !== undefined && { memo }),
  }));
  // The key is the same in every process, so that a payment begun by an earlier one is found on chain.
  const idempotencyKey = `${scheduleId}/${date}`;
  const options: OwnAttemptOptions = { idempotencyKey, onPending, shared: true, searchSeconds };
  const payees = payments.map(({ to }) => to);
  const listed = () => getRun(context, scheduleId, runId).catch(() => run);
  try {
    const tx_hash = await sendRun(context, { payments: list, asset, ...options }, { id: runId, marks });
    // The run is paid: that the service does not respond, or plans nothing, denies that no more.
    const next = async () => planNext(context, { schedule: await getSchedule(context, scheduleId), terms }, now);
    await next().catch(() => undefined);
    return paidRun(await listed(), payees, tx_hash);
  } catch (error) {
    const { status } = await listed();
    // Another runner may have been first; it pays the same notes.
    const isClaimed = status === "paid" || status === "paying";
    for (const end = Date.now() + SETTLING_MS; isClaimed && Date.now() < end; await context.call.pause(LOOK_MS)) {
      const found = await findMarked(context, context.wallet.address, marks, searchSeconds).catch(() => null);
      if (found) return paidRun(await listed(), payees, found.event.transactionHash);
    }
    throw error;
  }
}

/** Reports to the service which dates are due and which comes next, if it doesn't know. Safe to repeat. */
export async function planNext(
  context: Context,
  { schedule, terms }: DecryptedSchedule,
  now = new Date(),
): Promise<Schedule> {
  const { schedule_id: id, version, encrypted, status, next_run } = schedule;
  if (status !== "active" || next_run) return schedule;
  const runs = inOrder(planRuns(terms, encrypted?.last_date ?? null, now));
  const is_last = isScheduleOver(terms, now);
  if (runs.length === 0 && !is_last) return schedule;
  const said = runs.map(({ date, dueAt }) => ({ date, due_at: dueAt.toISOString() }));
  const json = { plan: { version, runs: said, is_last } };
  return requireSameId("schedule_id", id, writeSchedule(context, "POST", pathOf(id, "runs"), json), true);
}

/**
 * Makes the payments of a schedule's run, several with one proof, and waits for the chain.
 *
 * @returns their transaction
 */
async function sendRun(
  context: Context,
  { payments, asset, ...options }: SendManyInput & SendOptions,
  run: RunToPay,
): Promise<Hex> {
  const [one, ...others] = payments;
  if (!one) throw new RangeError("a run has a payment");
  const sent =
    others.length > 0
      ? sendMany(context, { payments, asset, ...options }, run)
      : sendAndSettle(context, { ...one, asset, clientSigned: true, ...options }, run);
  return (await sent).tx_hash;
}
