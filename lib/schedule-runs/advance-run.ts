import { db } from "@/db/client";
import { appendEvents } from "@/lib/events/append-events";
import { lockRun, runEvent, subjectOf, updateRun } from "./run-rows";

/**
 * Takes a run on by the clock: when its time comes it is due, and when its window ends unpaid it is missed. Each step
 * writes its event in its own transaction, once, however many do the same. Nothing here pays.
 *
 * @returns after how many milliseconds to look again; null when there is nothing left to wait for
 */
export async function advanceRun(runId: string, now = new Date()): Promise<number | null> {
  return db().transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (!run || (run.status !== "planned" && run.status !== "due")) return null;
    const nextStep = run.status === "planned" ? run.dueAt : run.windowEndsAt;
    const left = nextStep.getTime() - now.getTime();
    if (left > 0) return left;
    const subject = await subjectOf(tx, run.accountId);
    if (run.status === "planned") {
      await updateRun(tx, run, { status: "due" });
      await appendEvents(tx, [runEvent("schedule.due", subject, run)], now);
      return Math.max(0, run.windowEndsAt.getTime() - now.getTime());
    }
    await updateRun(tx, run, { status: "missed", missedAt: run.missedAt ?? now });
    if (!run.missedAt) await appendEvents(tx, [runEvent("schedule.run_missed", subject, run)], now);
    return null;
  });
}
