import type { z } from "zod";

/** A kind of timed work: what it needs to know, how long it may take, and what follows when it fails. */
export interface Job<Input = unknown> {
  /** Its name in rows, logs and metrics. Rows outlive a release: it stays what it is. */
  name: string;
  /** Checked when it is scheduled, and again when it runs: a row may be older than this code. */
  input: z.ZodType<Input>;
  /** How long one run may take, in milliseconds. Its signal is aborted then, and the run counts as failed. */
  timeoutMs: number;
  retry: Retry;
}

/** What follows a run that fails: another, after a pause that doubles each time. */
export interface Retry {
  /** How many runs there are in all, those of killed workers included; null: as many as it takes. */
  runs: number | null;
  /** The first pause, in milliseconds. */
  firstMs: number;
  /** The longest pause, in milliseconds. */
  longestMs: number;
}

/** What a run gets besides its input. */
export interface JobRun {
  now: Date;
  /** Aborted when the run takes too long, when another worker took over, and when this one stops. */
  signal: AbortSignal;
}

/** A job with what it does. */
export interface BoundJob extends Job {
  /** @returns after how many milliseconds it runs again; null when it is done with */
  run(input: unknown, run: JobRun): Promise<number | null>;
}

/** Declares a kind of timed work; all of ours is in `catalogue.ts`. */
export function declareJob<Input>(job: Job<Input>): Job<Input> {
  return job;
}

/** Says what a job does. The work itself is safe to repeat: a worker may die after it, before that is noted. */
export function bindJob<Input>(job: Job<Input>, run: (input: Input, run: JobRun) => Promise<number | null>): BoundJob {
  return { ...job, run: (input, tools) => run(job.input.parse(input), tools) };
}

/** The pause after a failed run, in milliseconds. */
export function pauseAfter(attempt: number, { firstMs, longestMs }: Retry): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 30));
}
