import type { z } from "zod";

/** A kind of scheduled job: its input, its time limit and its retries. */
export interface Job<Input = unknown> {
  /** Its name in rows, logs and metrics. Rows outlive a release, so the name never changes. */
  name: string;
  /**
   * Schema of the input. Checked when the job is scheduled and again when it runs, since its row may come from an older
   * release.
   */
  input: z.ZodType<Input>;
  /**
   * Time limit of one run, in milliseconds. When it is reached, the run's signal is aborted and the run counts as
   * failed.
   */
  timeoutMs: number;
  retry: Retry;
}

/** How a failed run is retried, with a delay that doubles each time. */
export interface Retry {
  /** Maximum number of runs, including those of killed workers; null: no limit. */
  runs: number | null;
  /** The first delay, in milliseconds. */
  firstMs: number;
  /** The longest delay, in milliseconds. */
  longestMs: number;
}

/** What a run gets besides its input. */
export interface JobRun {
  now: Date;
  /** Aborted when the run exceeds its time limit, when another worker has taken the job, and when this worker stops. */
  signal: AbortSignal;
}

/** A job with its implementation. */
export interface BoundJob extends Job {
  /**
   * Runs the job.
   *
   * @returns in how many milliseconds to run again; null if the job is finished
   */
  run(input: unknown, run: JobRun): Promise<number | null>;
}

/** Declares a kind of scheduled job. All of them are in `catalogue.ts`. */
export function declareJob<Input>(job: Job<Input>): Job<Input> {
  return job;
}

/**
 * Adds the implementation to a job. It must be safe to repeat, because a worker may die after the work and before its
 * end is recorded.
 */
export function bindJob<Input>(job: Job<Input>, run: (input: Input, run: JobRun) => Promise<number | null>): BoundJob {
  return { ...job, run: (input, tools) => run(job.input.parse(input), tools) };
}

/** Returns the delay after a failed run, in milliseconds. */
export function pauseAfter(attempt: number, { firstMs, longestMs }: Retry): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 30));
}
