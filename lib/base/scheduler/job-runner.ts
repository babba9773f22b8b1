import { randomUUID } from "node:crypto";
import type { Clock } from "@/lib/base/clock";
import { log } from "@/lib/base/telemetry/log";
import { count } from "@/lib/base/telemetry/record";
import { type BoundJob, pauseAfter } from "./declare-job";
import { databaseTime, endJob, idOf, type JobEnd, keepJobs, nextJobAt, type TakenJob, takeJobs } from "./job-rows";

/** How long a job belongs to a worker that does not renew its lease. After that, another worker runs it. */
export const LEASE_MS = 10_000;
/** How often workers poll in addition to notifications, which can get lost, and to find jobs of dead workers. */
const LOOK_MS = 2_000;
const AT_ONCE = 8;

interface JobRunnerOptions {
  /** Default: the database's, so that a worker whose machine is ahead or behind takes and ends jobs in time. */
  clock?: Clock;
  /** Called when a run has ended, because more jobs may be due. */
  onEnd?: () => void;
}

interface Run {
  job: TakenJob;
  stop: AbortController;
  /** Until when no other worker takes the job. */
  until: Date;
  ended: Promise<void>;
}

/**
 * Runs scheduled jobs, next to other workers on the same database. One worker at a time runs a job, as long as it
 * renews its lease every few seconds. Each run happens at least once, so jobs must be safe to repeat.
 */
export class JobRunner {
  private readonly worker = randomUUID();
  private readonly known: Map<string, BoundJob>;
  private readonly running = new Map<string, Run>();
  private readonly clock: Clock;
  private readonly followsDatabase: boolean;
  private readonly onEnd: () => void;
  private stopping = false;
  /** Milliseconds by which the database's clock is ahead of this machine's. */
  private ahead = 0;

  constructor(known: readonly BoundJob[], { clock, onEnd = () => {} }: JobRunnerOptions = {}) {
    this.known = new Map(known.map((job) => [job.name, job]));
    this.clock = clock ?? (() => new Date(Date.now() + this.ahead));
    this.followsDatabase = clock === undefined;
    this.onEnd = onEnd;
  }

  /**
   * Starts due jobs.
   *
   * @returns in how many milliseconds to look again
   */
  async look(): Promise<number> {
    const limit = AT_ONCE - this.running.size;
    if (limit <= 0 || this.stopping) return LOOK_MS;
    const [now, names] = [await this.readClock(), [...this.known.keys()]];
    const until = new Date(now.getTime() + LEASE_MS);
    const taken = await takeJobs({ worker: this.worker, names, now, until, limit });
    for (const job of taken) this.start(job, now, until);
    if (taken.length === limit) return LOOK_MS;
    const next = await nextJobAt(names, now);
    return Math.max(0, Math.min(LOOK_MS, (next?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime()));
  }

  /** Renews the leases of this worker's jobs. Aborts runs whose lease was lost. */
  async keep(): Promise<void> {
    if (this.running.size === 0) return;
    const before = [...this.running];
    const until = new Date(this.clock().getTime() + LEASE_MS);
    const mine = await keepJobs(
      this.worker,
      before.map(([, { job }]) => job),
      until,
    ).catch((error) => {
      for (const [, run] of before) if (run.until <= this.clock()) run.stop.abort(new Error("its lease has ended"));
      throw error;
    });
    for (const [id, run] of before) {
      if (mine.has(id)) run.until = until;
      else run.stop.abort(new Error("another worker took over"));
    }
  }

  /** Resolves when no job is running. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  /** Takes no more jobs, aborts the running ones and waits for them to end. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const { stop } of this.running.values()) stop.abort(new Error("this worker stops"));
    await this.idle();
  }

  private async readClock(): Promise<Date> {
    if (this.followsDatabase) this.ahead = (await databaseTime()).getTime() - Date.now();
    return this.clock();
  }

  private start(job: TakenJob, now: Date, until: Date): void {
    const id = idOf(job);
    // The lease had expired, but no one else took the job. The current run continues under the new lease.
    const running = this.running.get(id);
    if (running) {
      running.until = until;
      return;
    }
    const stop = new AbortController();
    if (this.stopping) stop.abort(new Error("this worker stops"));
    const ended = this.run(job, now, stop)
      .then((end) => endJob(this.worker, job, end))
      // The lease expires, and the job is due again then.
      .catch((error) => log().warn({ err: error, job: job.name }, "the end of a job could not be noted"))
      .finally(() => {
        this.running.delete(id);
        this.onEnd();
      });
    this.running.set(id, { job, stop, until, ended });
  }

  /** Runs a job once, up to its time limit. */
  private async run(taken: TakenJob, now: Date, stop: AbortController): Promise<JobEnd> {
    const job = this.known.get(taken.name);
    if (!job) throw new Error(`no job is called ${taken.name}`);
    const { runs } = job.retry;
    // A job that kills its worker never reaches the check below.
    if (runs !== null && taken.attempt > runs) return giveUp(taken);
    let late: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      late = setTimeout(() => {
        const error = new Error("a job took too long");
        stop.abort(error);
        reject(error);
      }, job.timeoutMs);
    });
    try {
      const pause = await Promise.race([job.run(taken.input, { now, signal: stop.signal }), tooLong]);
      const nextRun = pause === null ? null : new Date(this.clock().getTime() + pause);
      return { nextRun, attempt: 0, done: pause === null };
    } catch (error) {
      // Aborted because this worker stops. Not a failure: the next worker runs the job at once.
      if (this.stopping) return { nextRun: now, attempt: taken.attempt - 1, done: false };
      return this.failed(job, taken, { error, brokenOff: stop.signal.aborted });
    } finally {
      clearTimeout(late);
    }
  }

  private failed(job: BoundJob, taken: TakenJob, { error, brokenOff }: { error: unknown; brokenOff: boolean }): JobEnd {
    count("halcyon.job.failures", { job: job.name });
    // A single failure (a deadlock, a dropped connection) is only a warning.
    const failures = taken.attempt;
    log()[failures === 1 ? "warn" : "error"]({ err: error, job: job.name, failures }, "a job failed");
    if (job.retry.runs !== null && failures >= job.retry.runs) return giveUp(taken);
    // A run that ignores its signal may go on for a while. Don't start the next run in parallel.
    const pause = Math.max(pauseAfter(failures, job.retry), brokenOff ? LEASE_MS : 0);
    return { nextRun: new Date(this.clock().getTime() + pause), attempt: failures, done: false };
  }
}

function giveUp({ name, key, attempt }: TakenJob): JobEnd {
  log().error({ job: name, key, runs: attempt }, "a job is given up; its row stays, without a next run");
  return { nextRun: null, attempt, done: false };
}
