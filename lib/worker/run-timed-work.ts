import { sql } from "@/db/client";
import { addMissingJobs, databaseTime } from "@/lib/base/scheduler/job-rows";
import { JobRunner, LEASE_MS } from "@/lib/base/scheduler/job-runner";
import { JOBS_CHANNEL } from "@/lib/base/scheduler/schedule-job";
import { loop, Wake } from "./loop";
import { standingJobs, TIMED_WORK } from "./timed-work";

const ADD_MISSING_MS = 60_000;

/**
 * Runs timed work until aborted: on schedule, and immediately when something is scheduled.
 *
 * @param work the jobs to run; tests pass their own
 * @param standing returns the jobs that must always exist
 */
export async function runTimedWork(
  signal: AbortSignal,
  work = TIMED_WORK,
  standing: typeof standingJobs = standingJobs,
): Promise<void> {
  const wake = new Wake();
  const runner = new JobRunner(work, { onEnd: wake.now });
  const listened = new AbortController();
  let listening: { unlisten(): Promise<void> } | undefined;
  await Promise.all([
    loop("job notifications", AbortSignal.any([signal, listened.signal]), async () => {
      listening = await sql().listen(JOBS_CHANNEL, wake.now, wake.now);
      listened.abort();
      return 0;
    }),
    loop("standing jobs", signal, async () => {
      await addMissingJobs(standing(await databaseTime()));
      wake.now();
      return ADD_MISSING_MS;
    }),
    loop("job leases", signal, async () => {
      await runner.keep();
      return LEASE_MS / 4;
    }),
    loop("jobs", signal, () => runner.look(), wake),
  ]);
  await listening?.unlisten();
  await runner.stop();
}
