import { and, eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { scheduleRuns, schedules } from "@/db/schema/schedules";
import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { assetBySymbol, unitsOf } from "@/lib/base/assets";
import type { BeforeCommit, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_ID } from "@/lib/base/network";
import { scopeOf } from "@/lib/chain/scope-of";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { runMarks } from "@/lib/ledger/crypto/run-marks";
import { refusePaidRun } from "@/lib/payments/after-restore/refuse-paid-run";
import { AlreadyPaid } from "@/lib/payments/already-paid";
import { payFixed } from "@/lib/payments/pay-fixed";
import { notPayable } from "@/lib/payments/schedules/runs/claim-run";
import { followRuns } from "@/lib/payments/schedules/runs/follow-runs";
import type { RunRow, ScheduleRow } from "@/lib/payments/schedules/runs/run-rows";
import { type PayableRun, REFUSED_RUN, runOf } from "@/lib/policy/calendar/run-of";
import type { ScheduleTerms } from "@/lib/policy/calendar/terms";
import { decryptTerms } from "./encrypted-terms";
import { findSchedule, lockSchedule, requireNotEnded, scheduleChanged } from "./find-schedule";
import { findRun, type RunView, viewOfRun } from "./get-run";
import { planNext } from "./plan-schedule";
import { findRunReceivers } from "./resolve-payments";
import type { PayRunInput } from "./schema";

/** A run with everything needed to pay it. */
interface RunToPay {
  schedule: ScheduleRow;
  terms: ScheduleTerms;
  run: RunRow;
  payable: PayableRun;
  late: boolean;
}

/**
 * Pays a run with the account secret that the request's key unwraps. Only now is the schedule decrypted. It decides
 * whether the run is paid, to whom and how much; the run's row has none of that. The seed is derived from the run, so
 * every client that pays it makes the same notes, which the ledger accepts only once. A run that is paid or being paid
 * is returned unchanged.
 *
 * @throws ApiError `not_found`, `run_not_payable`, `schedule_changed`, `sync_required`, `key_forbidden`, and the
 *   errors of a payment; the run stays payable within its window
 */
export async function payRun(
  ctx: KeyContext,
  scheduleId: string,
  runId: string,
  { late, version }: PayRunInput,
  beforeCommit: BeforeCommit<RunView> = async () => {},
  now = new Date(),
): Promise<RunView> {
  const schedule = await findSchedule(ctx, scheduleId);
  const run = await findRun(ctx, scheduleId, runId);
  const asItIs = () =>
    db().transaction(async (tx) => {
      const view = await viewOfRun(tx, run);
      await beforeCommit(tx, view);
      return view;
    });
  if (isTaken(run)) return asItIs();
  requireNotEnded(schedule);
  if (version !== undefined && schedule.version < version) throw scheduleChanged();
  const terms = await decrypt(ctx, schedule);
  const payable = runOf(terms, run.date, { now, late });
  if (typeof payable === "string") throw notPayable(REFUSED_RUN[payable]);
  if (ctx.chainId === CHAIN_ID.live) await requireKyc(ctx);
  try {
    return await pay(ctx, { schedule, terms, run, payable, late }, beforeCommit, now);
  } catch (error) {
    // A concurrent request may have paid the run.
    const current = await findRun(ctx, scheduleId, runId);
    if (isTaken(current)) return asItIs();
    if (!(error instanceof ApiError)) throw error;
    if (error instanceof AlreadyPaid && error.how === "paid") {
      await noteOnLedger(current, now);
      return asItIs();
    }
    const refusal = error instanceof AlreadyPaid ? notPaidByIt(error) : error;
    await noteFailure(current, refusal);
    throw refusal;
  }
}

const isTaken = ({ status }: RunRow) => status === "paid" || status === "paying";

async function decrypt(ctx: KeyContext, schedule: ScheduleRow): Promise<ScheduleTerms> {
  const unwrapped = await ctx.unwrap();
  try {
    return await decryptTerms(ctx.account, schedule, unwrapped);
  } finally {
    unwrapped.secret.fill(0);
    unwrapped.authority.fill(0);
  }
}

async function pay(ctx: KeyContext, toPay: RunToPay, beforeCommit: BeforeCommit<RunView>, now: Date): Promise<RunView> {
  const { schedule, terms, run, payable, late } = toPay;
  const { payments, asset: symbol, seed: secret } = payable.part;
  const scope = await scopeOf(ctx.chainId);
  const marks = runMarks(fromHex(secret), {
    scope,
    account: ctx.account.address,
    schedule: schedule.id,
    date: payable.date,
  });
  const check = await refusePaidRun(ctx, { date: payable.date, tag: marks.tag }, now);
  const receivers = await findRunReceivers(ctx, payments);
  for (const [index, { address, to }] of payments.entries()) {
    if (receivers[index]?.recipient.address !== address) throw moved(to, index);
  }
  const details = { scheduleRun: { id: run.id, late } };
  const first = async (tx: Tx) => {
    const locked = await lockSchedule(tx, ctx, schedule.id);
    if (locked.version !== schedule.version) throw scheduleChanged();
  };
  // While the schedule is decrypted, record its next date.
  let view: RunView | undefined;
  const last = async (tx: Tx) => {
    await check(tx);
    const [row] = await tx.select().from(schedules).where(eq(schedules.id, schedule.id));
    if (row) await planNext(tx, row, terms, now);
    view = await viewOfRun(tx, run);
    await beforeCommit(tx, view);
  };
  const asset = assetBySymbol(ctx.chainId, symbol);
  const found = payments.flatMap(({ to, amount, memo }, index) => {
    const receiver = receivers[index];
    return receiver ? [{ receiver, to, memo, amount: unitsOf(asset, amount), details }] : [];
  });
  await payFixed(ctx, { asset, payments: found, ...marks }, { first, beforeCommit: last });
  if (!view) throw new Error("a run was paid without its transfers");
  return view;
}

/** Returns the error for a name that now stands for another account. The owner decides whether to follow it. */
function moved(to: string, index: number): ApiError {
  const message = `${to} stands for another account than when this schedule was written. Check with the recipient, then change the schedule.`;
  return new ApiError("recipient_not_found", message, { param: `payments.${index}.to` });
}

/** Returns the error for a run whose notes exist although its own payment is not final. */
function notPaidByIt({ how }: AlreadyPaid): ApiError {
  if (how === "pending")
    return notPayable("A payment of this run is on its way. Look at your transfers, and try again.");
  return new ApiError(
    "invalid_request",
    "Another payment has made a note of this run, and the ledger takes a note once. Nothing was paid by this run. " +
      "Skip this date, look at your transfers, and pay its recipients one by one.",
  );
}

/**
 * Marks a run as paid because its account has made its notes on the ledger. Its row may say otherwise in a restored or
 * tampered database.
 */
async function noteOnLedger(run: RunRow, now: Date): Promise<void> {
  await db().transaction((tx) => followRuns(tx, [{ scheduleRunId: run.id, status: "confirmed" }], now));
}

/** Records why a run could not be paid, for lists and pages. Only the error code, which reveals no amount. */
async function noteFailure({ id }: RunRow, { code }: ApiError): Promise<void> {
  if (["unavailable", "rate_limited", "unauthorized", "internal"].includes(code)) return;
  await db()
    .update(scheduleRuns)
    .set({ failure: code })
    .where(and(eq(scheduleRuns.id, id), eq(scheduleRuns.status, "due")));
}
