import { db } from "@/db/client";
import type { BeforeCommit, Context, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ScheduleRow } from "@/lib/payments/schedules/runs/run-rows";
import { inOrder, isScheduleOver, nextDates, planRuns } from "@/lib/policy/calendar/plan-runs";
import { checkRule } from "@/lib/policy/calendar/rule";
import {
  datesOf,
  goOn,
  isPaused,
  lastPart,
  pause,
  type SchedulePlan,
  type ScheduleTerms,
  skip,
} from "@/lib/policy/calendar/terms";
import { nothingAhead, requireKey, type WrittenSchedule } from "./create-schedule";
import { decryptTerms, encryptTerms } from "./encrypted-terms";
import { findSchedule, lockSchedule, requireNotEnded, scheduleChanged } from "./find-schedule";
import { resolvePayments } from "./resolve-payments";
import { type ScheduleAct, saveSchedule, takeBackAhead } from "./save-schedule";
import { viewOf } from "./schedule-view";
import type { ChangeScheduleInput, SkipInput } from "./schema";
import { storeEncrypted } from "./store-encrypted";

/** The result of a change: the schedule's new terms, and what happened to it. */
interface Change {
  act: ScheduleAct;
  terms: ScheduleTerms;
  skipped?: string;
}

/**
 * Changes, pauses or resumes a schedule. What is already due stays as it was: a change takes effect with the next date.
 *
 * @throws ApiError `not_found`, `invalid_request`, `schedule_changed`, `sync_required`, `key_forbidden`, and the
 *   errors of finding the recipients; for an encrypted version, what `storeEncrypted` throws
 */
export async function changeSchedule(
  ctx: Context,
  scheduleId: string,
  input: ChangeScheduleInput,
  now = new Date(),
): Promise<WrittenSchedule> {
  await findSchedule(ctx, scheduleId);
  if (input.encrypted) return storeEncrypted(ctx, scheduleId, input.encrypted, undefined, now);
  requireKey(ctx);
  const payments = input.payments && (await resolvePayments(ctx, input.payments));
  return write(ctx, scheduleId, input.version, now, (terms) => {
    const { name = terms.name, automatic = terms.automatic, window_seconds: window = terms.window } = input;
    const last = lastPart(terms);
    const plan: SchedulePlan = {
      rule: input.rule ? checkRule(input.rule) : last.rule,
      asset: input.asset ?? last.asset,
      payments: payments ?? last.payments,
    };
    const settings = { ...terms, name, automatic, window };
    const isNew = input.rule !== undefined || payments !== undefined;
    if (input.status === "paused" || (isPaused(terms) && input.status === undefined)) {
      if (isNew) {
        const message = "A schedule that is paused is changed as it is resumed: send `status: active` with the change.";
        throw new ApiError("invalid_request", message, { param: "status" });
      }
      return { act: isPaused(terms) ? "changed" : "paused", terms: pause(settings, now) };
    }
    if (!isNew && !isPaused(terms)) return { act: "changed", terms: settings };
    // The seed stays the same, so that a run paid under either version has the same tag, even if a backup has only the
    // earlier version.
    const changed = goOn(settings, plan, last.seed, now);
    if (!changed) throw nothingAhead();
    return { act: isPaused(terms) ? "resumed" : "changed", terms: changed };
  });
}

/**
 * Skips a date: the next one, or one that is due and not paid.
 *
 * @throws ApiError `not_found`, `invalid_request`, `schedule_changed`, `sync_required`, `key_forbidden`
 */
export async function skipDate(
  ctx: KeyContext,
  scheduleId: string,
  { date, version }: SkipInput,
  beforeCommit: BeforeCommit<WrittenSchedule> = async () => {},
  now = new Date(),
): Promise<WrittenSchedule> {
  await findSchedule(ctx, scheduleId);
  const change = (terms: ScheduleTerms): Change => {
    const skipped = date ?? nextDates(terms, now, 1)[0]?.date;
    if (skipped === undefined) throw nothingAhead();
    const upcoming = nextDates(terms, now, 1)[0]?.date ?? "";
    const isDate = [...untilDate(terms, skipped)].includes(skipped);
    if (!isDate || (upcoming !== "" && skipped > upcoming)) {
      const message = "Only the next date, or one that is due, can be left out.";
      throw new ApiError("invalid_request", message, { param: "date" });
    }
    return { act: "skipped", terms: skip(terms, skipped), skipped };
  };
  return write(ctx, scheduleId, version, now, change, beforeCommit);
}

function* untilDate(terms: ScheduleTerms, last: string): Generator<string> {
  for (const { date } of datesOf(terms)) {
    if (date > last) return;
    yield date;
  }
}

async function write(
  ctx: KeyContext,
  scheduleId: string,
  version: number | undefined,
  now: Date,
  change: (terms: ScheduleTerms) => Change,
  beforeCommit: BeforeCommit<WrittenSchedule> = async () => {},
): Promise<WrittenSchedule> {
  return db().transaction(async (tx) => {
    const row = await lockSchedule(tx, ctx, scheduleId);
    requireNotEnded(row);
    if (version !== undefined && version !== row.version) throw scheduleChanged();
    const unwrapped = await ctx.unwrap(tx);
    try {
      const { act, terms, skipped } = change(await decryptTerms(ctx.account, row, unwrapped));
      const place = { id: row.id, version: row.version + 1 };
      const encrypted = await encryptTerms(ctx.account, ctx.chainId, place, terms, unwrapped);
      const status = isPaused(terms) ? ("paused" as const) : ("active" as const);
      const next: ScheduleRow = { ...row, ...place, status, windowSeconds: terms.window, encrypted };
      const after = await takeBackAhead(tx, row, skipped);
      const runs = inOrder(planRuns(terms, after, now));
      await saveSchedule(
        tx,
        ctx,
        { act, row: { ...next, lastDate: after }, runs, isLast: isScheduleOver(terms, now) },
        now,
      );
      const written = { ...(await viewOf(tx, ctx, row.id)), nextDates: nextDates(terms, now) };
      await beforeCommit(tx, written);
      return written;
    } finally {
      unwrapped.secret.fill(0);
      unwrapped.authority.fill(0);
    }
  });
}
