import { and, eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { schedules } from "@/db/schema/schedules";
import { secretRotated, secretVersionOf } from "@/lib/accounts/secret-version";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import type { ScheduleRow } from "@/lib/payments/schedules/runs/run-rows";
import { requireRoomForSchedules, type WrittenSchedule } from "./create-schedule";
import { lockSchedule, requireNotEnded, requireReach, scheduleChanged } from "./find-schedule";
import { type ScheduleAct, saveSchedule, takeBackAhead } from "./save-schedule";
import { viewOf } from "./schedule-view";
import type { EncryptedVersion } from "./schema";

/**
 * Stores a schedule, or its next version, that the owner's client has encrypted. The service learns only when the next
 * run is due and how long a run stays payable. Sending the same version again changes nothing.
 *
 * @throws ApiError `not_found`, `invalid_request`, `schedule_changed`, `available_balance_changed` after a rotation of
 *   the account secret
 */
export async function storeEncrypted(
  ctx: Context,
  scheduleId: string,
  input: EncryptedVersion,
  beforeCommit: BeforeCommit<WrittenSchedule> = async () => {},
  now = new Date(),
): Promise<WrittenSchedule> {
  requireReach(ctx);
  return db().transaction(async (tx) => {
    if ((await secretVersionOf(ctx.chainId, ctx.account, tx)) !== input.secret_version) throw secretRotated();
    const earlier = await find(tx, ctx, scheduleId, input.version);
    const isStored = earlier?.version === input.version && earlier.encrypted === input.ciphertext;
    if (!isStored) await storeVersion(tx, ctx, scheduleId, earlier, input, now);
    // The dates ahead are encrypted too.
    const stored = { ...(await viewOf(tx, ctx, scheduleId)), nextDates: [] };
    await beforeCommit(tx, stored);
    return stored;
  });
}

async function storeVersion(
  tx: Tx,
  ctx: Context,
  scheduleId: string,
  earlier: ScheduleRow | null,
  input: EncryptedVersion,
  now: Date,
): Promise<void> {
  if (earlier && earlier.version + 1 !== input.version) throw scheduleChanged();
  if (!earlier) await requireRoomForSchedules(tx, ctx);
  const lastDate = earlier && (await takeBackAhead(tx, earlier, input.skipped));
  const row: ScheduleRow = {
    id: scheduleId,
    chainId: ctx.chainId,
    accountId: ctx.account.id,
    status: input.status,
    version: input.version,
    encrypted: input.ciphertext,
    secretVersion: input.secret_version,
    windowSeconds: input.window_seconds,
    lastDate,
    createdAt: earlier?.createdAt ?? now,
    updatedAt: now,
  };
  const runs = input.runs.map(({ date, due_at: dueAt }) => ({ date, dueAt }));
  await saveSchedule(tx, ctx, { act: actOf(earlier, input), row, runs, isLast: input.is_last }, now);
}

/**
 * Returns the stored row; null for a first version.
 *
 * @throws ApiError `not_found` if another account uses the id
 */
async function find(tx: Tx, ctx: Context, id: string, version: number): Promise<ScheduleRow | null> {
  const [taken] = await tx
    .select({ id: schedules.id })
    .from(schedules)
    .where(and(eq(schedules.id, id)));
  if (!taken && version === 1) return null;
  const row = await lockSchedule(tx, ctx, id);
  requireNotEnded(row);
  return row;
}

function actOf(earlier: ScheduleRow | null, { status, skipped, secret_version }: EncryptedVersion): ScheduleAct {
  if (!earlier) return "created";
  if (skipped !== undefined) return "skipped";
  if (earlier.secretVersion !== secret_version) return "encrypted";
  if ((earlier.status === "paused") === (status === "paused")) return "changed";
  return status === "paused" ? "paused" : "resumed";
}
