import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { jobs } from "@/db/schema/jobs";
import type { Job } from "./declare-job";

/** The channel on which workers hear that a job was scheduled. */
export const JOBS_CHANNEL = "jobs";

interface Scheduling<Input> {
  /** Distinguishes jobs of one name; there is one row of each. */
  key: string;
  /** Ids and the like; no amounts, no secrets. */
  input: Input;
  at: Date;
}

/**
 * Has a job run at a time, once the transaction commits. Scheduled again under the same key it runs at the new time,
 * with the new input; a run that is under way ends first.
 *
 * @throws ZodError when the input is not the job's
 */
export async function scheduleJob<Input extends Record<string, unknown>>(
  tx: Tx,
  job: Job<Input>,
  { key, input, at }: Scheduling<Input>,
): Promise<void> {
  const row = { name: job.name, key, input: job.input.parse(input), nextRun: at };
  await tx
    .insert(jobs)
    .values(row)
    .onConflictDoUpdate({
      target: [jobs.name, jobs.key],
      set: { input: row.input, nextRun: at, attempt: 0, revision: sql`${jobs.revision} + 1` },
    });
  await tx.execute(sql`select pg_notify(${JOBS_CHANNEL}, '')`);
}
