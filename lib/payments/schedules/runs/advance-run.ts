import { db } from "@/db/client";
import { appendEvents } from "@/lib/events/append-events";
import { lockRun, runEvent, subjectOf, updateRun } from "./run-rows";

/**
 * Advances a run by the clock: it becomes due at its time, and missed when its window ends unpaid. Each step and its
 * event are written in one transaction, once, even with concurrent callers. Nothing is paid here.
 *
 * @returns in how many milliseconds to look again; null if there is nothing left to wait for
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
