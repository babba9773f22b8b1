import { sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import type { BeforeCommit, Context, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { needsHomeKey } from "@/lib/base/payment-errors";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import type { ScheduleRow } from "@/lib/payments/schedules/runs/run-rows";
import { WINDOW } from "@/lib/policy/calendar/document";
import type { Occurrence } from "@/lib/policy/calendar/occurrences";
import { inOrder, nextDates, planRuns } from "@/lib/policy/calendar/plan-runs";
import { checkRule } from "@/lib/policy/calendar/rule";
import { firstAhead, type ScheduleTerms } from "@/lib/policy/calendar/terms";
import { encryptTerms } from "./encrypted-terms";
import { requireReach } from "./find-schedule";
import { resolvePayments } from "./resolve-payments";
import { saveSchedule } from "./save-schedule";
import { type ScheduleView, viewOf } from "./schedule-view";
import type { CreateScheduleInput } from "./schema";
import { storeEncrypted } from "./store-encrypted";

/** A schedule that was created or changed. */
export interface WrittenSchedule extends ScheduleView {
  /** Its next dates, which the service does not store; empty if the client encrypted it. */
  nextDates: Occurrence[];
}

/** The most schedules of an account that have not ended. */
const MOST_SCHEDULES = 200;

/**
 * Creates a schedule. The service encrypts it under the account secret that the key wraps, unless the client did. Of its
 * dates, it stores only the next one.
 *
 * @throws ApiError `invalid_request`, `recipient_not_found`, `recipient_not_confidential_ready`, `key_forbidden`; for an
 *   encrypted one, what `storeEncrypted` throws
 */
export async function createSchedule(
  ctx: Context,
  input: CreateScheduleInput,
  beforeCommit: BeforeCommit<WrittenSchedule> = async () => {},
  now = new Date(),
): Promise<WrittenSchedule> {
  requireReach(ctx);
  if (input.encrypted) return storeEncrypted(ctx, input.schedule_id ?? "", input.encrypted, beforeCommit, now);
  requireKey(ctx);
  const { asset = "USDG", name = "", automatic = false, window_seconds: window = WINDOW.standard } = input;
  if (!input.rule || !input.payments) throw new Error("a schedule that is not encrypted has a rule and payments");
  const rule = checkRule(input.rule);
  const first = firstAhead(rule, rule.start, now);
  if (!first) throw nothingAhead();
  const payments = await resolvePayments(ctx, input.payments);
  const part = { rule, asset, payments, from: first.date, seed: toHex(randomBytes(32)) };
  const terms: ScheduleTerms = { name, automatic, window, skipped: [], parts: [part] };
  return db().transaction(async (tx) => {
    const unwrapped = await ctx.unwrap(tx);
    try {
      const place = { id: newId("schedule"), version: 1 };
      const row: ScheduleRow = {
        ...place,
        chainId: ctx.chainId,
        accountId: ctx.account.id,
        status: "active",
        encrypted: await encryptTerms(ctx.account, ctx.chainId, place, terms, unwrapped),
        secretVersion: unwrapped.secretVersion,
        windowSeconds: window,
        lastDate: null,
        createdAt: now,
        updatedAt: now,
      };
      await requireRoomForSchedules(tx, ctx);
      const runs = inOrder(planRuns(terms, null, now));
      await saveSchedule(tx, ctx, { act: "created", row, runs, isLast: false }, now);
      const written = { ...(await viewOf(tx, ctx, row.id)), nextDates: nextDates(terms, now) };
      await beforeCommit(tx, written);
      return written;
    } finally {
      unwrapped.secret.fill(0);
      unwrapped.authority.fill(0);
    }
  });
}

/**
 * Refuses a session, or a blind key, whose client has not encrypted the schedule itself.
 *
 * @throws ApiError `invalid_request`, `key_forbidden`
 */
export function requireKey(ctx: Context): asserts ctx is KeyContext {
  if (ctx.actor === "key" && ctx.blind) throw needsHomeKey();
  if (ctx.actor === "key") return;
  throw new ApiError("invalid_request", "A session sends schedules that its client has encrypted.", {
    param: "encrypted",
  });
}

/** Returns the error for a schedule whose dates have all passed. */
export function nothingAhead(): ApiError {
  return new ApiError("invalid_request", "This schedule has no date ahead. Choose a later start or end.", {
    param: "rule",
  });
}

/**
 * Refuses another schedule beyond the limit. Concurrent requests may exceed it slightly, which is fine: it only keeps
 * lists and jobs small.
 */
export async function requireRoomForSchedules(tx: Tx, { account, chainId }: Context): Promise<void> {
  const [found] = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from schedules
    where account_id = ${account.id} and chain_id = ${chainId} and status <> 'ended'`);
  if ((found?.count ?? 0) < MOST_SCHEDULES) return;
  throw new ApiError("invalid_request", `An account has up to ${MOST_SCHEDULES} schedules. End one first.`);
}
