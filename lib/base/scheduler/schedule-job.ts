import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { jobs } from "@/db/schema/jobs";
import type { Job } from "./declare-job";

/** The channel that notifies workers of scheduled jobs. */
export const JOBS_CHANNEL = "jobs";

interface Scheduling<Input> {
  /** Distinguishes jobs of the same name. There is one row per name and key. */
  key: string;
  /** Ids and similar values; no amounts, no secrets. */
  input: Input;
  /** Default: at once, by the database's clock, since this machine's may be another. */
  at?: Date;
}

/**
 * Schedules a job for a time, once the transaction commits. Scheduling it again under the same key replaces the time
 * and the input. A run that is in progress ends first.
 *
 * @throws ZodError if the input does not match the job's schema
 */
export async function scheduleJob<Input extends Record<string, unknown>>(
  tx: Tx,
  job: Job<Input>,
  { key, input, at }: Scheduling<Input>,
): Promise<void> {
  const nextRun = at ?? sql`now()`;
  const row = { name: job.name, key, input: job.input.parse(input), nextRun };
  await tx
    .insert(jobs)
    .values(row)
    .onConflictDoUpdate({
      target: [jobs.name, jobs.key],
      set: { input: row.input, nextRun, attempt: 0, revision: sql`${jobs.revision} + 1` },
    });
  await tx.execute(sql`select pg_notify(${JOBS_CHANNEL}, '')`);
}
