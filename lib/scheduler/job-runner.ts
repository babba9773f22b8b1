import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "@/lib/clock";
import { log } from "@/lib/telemetry/log";
import { count } from "@/lib/telemetry/record";
import { type BoundJob, pauseAfter } from "./declare-job";
import { endJob, idOf, type JobEnd, keepJobs, nextJobAt, type TakenJob, takeJobs } from "./job-rows";

/** How long a job is a worker's without a word of it. What a killed worker left runs again after that. */
export const LEASE_MS = 10_000;
/** How often workers look without a notification: some get lost, and dead workers hold jobs. */
const LOOK_MS = 2_000;
const AT_ONCE = 8;

interface JobRunnerOptions {
  clock?: Clock;
  /** Called when a run has ended: there may be more to do. */
  onEnd?: () => void;
}

interface Run {
  job: TakenJob;
  stop: AbortController;
  /** Until when no other worker takes it. */
  until: Date;
  ended: Promise<void>;
}

/**
 * Runs timed work, beside other workers on the same database. A job is run by one worker at a time, as long as that one
 * says so every few seconds (its lease); each run happens at least once, so what it does must be safe to repeat.
 */
export class JobRunner {
  private readonly worker = randomUUID();
  private readonly known: Map<string, BoundJob>;
  private readonly running = new Map<string, Run>();
  private readonly clock: Clock;
  private readonly onEnd: () => void;
  private stopping = false;

  constructor(known: readonly BoundJob[], { clock = systemClock, onEnd = () => {} }: JobRunnerOptions = {}) {
    this.known = new Map(known.map((job) => [job.name, job]));
    this.clock = clock;
    this.onEnd = onEnd;
  }

  /**
   * Starts what is due.
   *
   * @returns after how many milliseconds to look again
   */
  async look(): Promise<number> {
    const limit = AT_ONCE - this.running.size;
    if (limit <= 0 || this.stopping) return LOOK_MS;
    const [now, names] = [this.clock(), [...this.known.keys()]];
    const until = new Date(now.getTime() + LEASE_MS);
    const taken = await takeJobs({ worker: this.worker, names, now, until, limit });
    for (const job of taken) this.start(job, now, until);
    if (taken.length === limit) return LOOK_MS;
    const next = await nextJobAt(names, now);
    return Math.max(0, Math.min(LOOK_MS, (next?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime()));
  }

  /** Says that this worker lives: its jobs stay its own. Runs that are no longer its own are broken off. */
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

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  /** Takes nothing more, asks what runs to end, and waits for that. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const { stop } of this.running.values()) stop.abort(new Error("this worker stops"));
    await this.idle();
  }

  private start(job: TakenJob, now: Date, until: Date): void {
    const id = idOf(job);
    // Its lease had ended, and no one else took it: the run under way is the one.
    const running = this.running.get(id);
    if (running) {
      running.until = until;
      return;
    }
    const stop = new AbortController();
    if (this.stopping) stop.abort(new Error("this worker stops"));
    const ended = this.run(job, now, stop)
      .then((end) => endJob(this.worker, job, end))
      // Its lease ends by itself, and then it is due again.
      .catch((error) => log().warn({ err: error, job: job.name }, "the end of a job could not be noted"))
      .finally(() => {
        this.running.delete(id);
        this.onEnd();
      });
    this.running.set(id, { job, stop, until, ended });
  }

  /** One run of a job, to its end or its time limit. */
  private async run(taken: TakenJob, now: Date, stop: AbortController): Promise<JobEnd> {
    const job = this.known.get(taken.name);
    if (!job) throw new Error(`no job is called ${taken.name}`);
    const { runs } = job.retry;
    // One that kills its worker never comes to the count below.
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
      // Broken off because this worker stops: no failure, and the next one runs it at once.
      if (this.stopping) return { nextRun: now, attempt: taken.attempt - 1, done: false };
      return this.failed(job, taken, { error, brokenOff: stop.signal.aborted });
    } finally {
      clearTimeout(late);
    }
  }

  private failed(job: BoundJob, taken: TakenJob, { error, brokenOff }: { error: unknown; brokenOff: boolean }): JobEnd {
    count("halcyon.job.failures", { job: job.name });
    // One hiccup (a deadlock, a dropped connection) is no news.
    const failures = taken.attempt;
    log()[failures === 1 ? "warn" : "error"]({ err: error, job: job.name, failures }, "a job failed");
    if (job.retry.runs !== null && failures >= job.retry.runs) return giveUp(taken);
    // One that does not heed its signal may continue for a while: not beside its next run.
    const pause = Math.max(pauseAfter(failures, job.retry), brokenOff ? LEASE_MS : 0);
    return { nextRun: new Date(this.clock().getTime() + pause), attempt: failures, done: false };
  }
}

function giveUp({ name, key, attempt }: TakenJob): JobEnd {
  log().error({ job: name, key, runs: attempt }, "a job is given up; its row stays, without a next run");
  return { nextRun: null, attempt, done: false };
}
