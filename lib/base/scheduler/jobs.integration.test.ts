import { type ChildProcess, spawn } from "node:child_process";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { db, sql } from "@/db/client";
import { jobs } from "@/db/schema/jobs";
import { hub } from "@/lib/base/telemetry/hub";
import { runTimedWork } from "@/lib/worker/run-timed-work";
import { program } from "@/scripts/stack/program";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { bindJob, declareJob, type JobRun, type Retry } from "./declare-job";
import { addMissingJobs } from "./job-rows";
import { JobRunner, LEASE_MS } from "./job-runner";
import { JOBS_CHANNEL, scheduleJob } from "./schedule-job";

let services: SharedServices;
let now: Date;
let failures: string[];
const clock = () => new Date(now);
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());
beforeEach(() => {
  now = new Date("2026-11-22T12:00:00Z");
  failures = [];
  hub().telemetry = {
    record: (name, _, labels) => void failures.push(`${name} ${Object.values(labels)}`),
    inSpan: (_name, _attributes, work) => work({ set: () => {} }),
    traceId: () => undefined,
    stop: async () => {},
  };
});
afterEach(async () => {
  hub().telemetry = undefined;
  await db().delete(jobs);
});

const FOR_EVER: Retry = { runs: null, firstMs: 1_000, longestMs: 60_000 };

function declare(name: string, { retry = FOR_EVER, timeoutMs = 3_600_000 } = {}) {
  return declareJob({ name, input: z.object({ to: z.string() }), timeoutMs, retry });
}

type TestJob = ReturnType<typeof declare>;

const schedule = (job: TestJob, key = "1", at = now, to = "somebody") =>
  db().transaction((tx) => scheduleJob(tx, job, { key, input: { to }, at }));
const rows = (job: TestJob) => db().select().from(jobs).where(eq(jobs.name, job.name));
const worker = (...bound: ConstructorParameters<typeof JobRunner>[0]) => new JobRunner(bound, { clock });

/** A job that ends at once. */
const quick = (job: TestJob, report: (to: string) => unknown) =>
  bindJob(job, async ({ to }) => {
    report(to);
    return null;
  });

/** Looks once and waits for the jobs that this started. */
async function work(runner: JobRunner): Promise<void> {
  await runner.look();
  await runner.idle();
}

/** A job that runs until it is released or aborted. */
function held(job: TestJob) {
  const begun: JobRun[] = [];
  let letGo = () => {};
  const bound = bindJob(job, async (_, run) => {
    begun.push(run);
    await new Promise<void>((resolve, reject) => {
      letGo = resolve;
      run.signal.addEventListener("abort", () => reject(run.signal.reason), { once: true });
    });
    return null;
  });
  return { bound, begun, end: () => letGo() };
}

describe("a job", () => {
  test("runs at its time with its input, not before, and its row is gone when it is done", async () => {
    const job = declare("test.once");
    const ran: string[] = [];
    const runner = worker(quick(job, (to) => ran.push(to)));
    await schedule(job, "1", new Date(now.getTime() + 1_500), "alice");
    expect(await runner.look()).toBe(1_500);
    pass(1_499);
    expect(await runner.look()).toBe(1);
    expect(ran).toEqual([]);
    pass(1);
    await work(runner);
    expect(ran).toEqual(["alice"]);
    expect(await rows(job)).toEqual([]);
  });

  test("that says when it runs again does so, after a success from its first try on", async () => {
    const job = declare("test.again");
    let runs = 0;
    const runner = worker(bindJob(job, async () => (++runs === 3 ? null : 60_000)));
    await schedule(job);
    for (let minute = 0; minute < 5; minute++) {
      await work(runner);
      pass(60_000);
    }
    expect(runs).toBe(3);
    expect(await rows(job)).toEqual([]);
  });

  test("is refused with an input that is not its own, and one that was written so fails and does nothing", async () => {
    const job = declare("test.input");
    let runs = 0;
    const runner = worker(quick(job, () => runs++));
    await expect(
      db().transaction((tx) => scheduleJob(tx, job, { key: "1", input: {} as never, at: now })),
    ).rejects.toThrow();
    expect(await rows(job)).toEqual([]);
    await addMissingJobs([{ name: job.name, key: "1", input: { to: 7 }, at: now }]);
    await work(runner);
    expect([runs, failures]).toEqual([0, ["halcyon.job.failures test.input"]]);
  });

  test("scheduled again runs at the new time with the new input; scheduled while it runs, it runs once more", async () => {
    const job = declare("test.anew");
    const ran: string[] = [];
    const later = new Date(now.getTime() + 60_000);
    const runner = worker(
      bindJob(job, async ({ to }) => {
        ran.push(to);
        if (to === "second") await schedule(job, "1", later, "third");
        return null;
      }),
    );
    await schedule(job, "1", now, "first");
    await schedule(job, "1", now, "second");
    await work(runner);
    expect(ran).toEqual(["second"]);
    expect(await rows(job)).toMatchObject([{ nextRun: later, input: { to: "third" }, attempt: 0, lease: null }]);
    pass(60_000);
    await work(runner);
    expect(ran).toEqual(["second", "third"]);
    expect(await rows(job)).toEqual([]);
  });

  test("is announced when its transaction commits, and with one that is rolled back it is not there", async () => {
    const job = declare("test.announced");
    let heard = 0;
    const { unlisten } = await sql().listen(JOBS_CHANNEL, () => void heard++);
    const refused = db().transaction(async (tx) => {
      await scheduleJob(tx, job, { key: "1", input: { to: "nobody" }, at: now });
      throw new Error("refused");
    });
    await expect(refused).rejects.toThrow("refused");
    expect(await rows(job)).toEqual([]);
    await schedule(job);
    await vi.waitFor(() => expect(heard).toBe(1), { timeout: 60_000 });
    await unlisten();
  });
});

describe("a job that fails", () => {
  test("is tried again after pauses that double up to the longest, counted each time; a success ends that", async () => {
    const job = declare("test.fails", { retry: { runs: null, firstMs: 1_000, longestMs: 5_000 } });
    const at: number[] = [];
    const start = now.getTime();
    const runner = worker(
      bindJob(job, async () => {
        at.push(now.getTime() - start);
        if (at.length < 6) throw new Error("not now");
        return 1_000;
      }),
    );
    await schedule(job);
    for (let second = 0; second <= 18; second++) {
      await work(runner);
      pass(1_000);
    }
    expect(at).toEqual([0, 1_000, 3_000, 7_000, 12_000, 17_000, 18_000]);
    expect(failures).toEqual(Array(5).fill("halcyon.job.failures test.fails"));
    expect(await rows(job)).toMatchObject([{ attempt: 0 }]);
  });

  test("as often as it may is given up: it runs no more, and its row stays to be looked at", async () => {
    const job = declare("test.given-up", { retry: { runs: 3, firstMs: 1_000, longestMs: 1_000 } });
    let runs = 0;
    const runner = worker(
      bindJob(job, async () => {
        runs++;
        throw new Error("never");
      }),
    );
    await schedule(job);
    for (let second = 0; second < 6; second++) {
      await work(runner);
      pass(1_000);
    }
    expect(runs).toBe(3);
    expect(await rows(job)).toMatchObject([{ nextRun: null, attempt: 3, lease: null }]);
  });

  test("that takes too long is aborted, and not run beside what may be left of it", async () => {
    const job = declare("test.slow", { timeoutMs: 20 });
    const { bound, begun } = held(job);
    const runner = worker(bound);
    await schedule(job);
    await work(runner);
    expect(begun.map(({ signal }) => signal.aborted)).toEqual([true]);
    expect(failures).toEqual(["halcyon.job.failures test.slow"]);
    expect(await rows(job)).toMatchObject([{ nextRun: new Date(now.getTime() + LEASE_MS), attempt: 1, lease: null }]);
  });
});

describe("several workers", () => {
  test("run each due job once between them, a job never twice at a time", async () => {
    const job = declare("test.shared");
    const [runs, open] = [new Map<string, number>(), new Set<string>()];
    const bound = bindJob(job, async ({ to }) => {
      expect(open.has(to)).toBe(false);
      open.add(to);
      await sql()`select 1`;
      open.delete(to);
      runs.set(to, (runs.get(to) ?? 0) + 1);
      return null;
    });
    const names = Array.from({ length: 40 }, (_, n) => `job ${n}`);
    for (const name of names) await schedule(job, name, now, name);
    const workers = [worker(bound), worker(bound), worker(bound)];
    while ((await rows(job)).length > 0) await Promise.all(workers.map(work));
    expect(Object.fromEntries(runs)).toEqual(Object.fromEntries(names.map((name) => [name, 1])));
    expect(failures).toEqual([]);
  });

  test("leave a job to the one that runs it for as long as that one says so, and take it after that", async () => {
    const job = declare("test.lease");
    const [first, second] = [held(job), held(job)];
    const [a, b] = [worker(first.bound), worker(second.bound)];
    await schedule(job);
    await a.look();
    for (let n = 0; n < 5; n++) {
      pass(LEASE_MS - 1);
      await a.keep();
      await b.look();
    }
    expect([first.begun.length, second.begun.length]).toEqual([1, 0]);
    pass(LEASE_MS);
    await b.look();
    expect(second.begun.length).toBe(1);
    // The first worker resumes. Its run is aborted, and nothing it does then affects the run that counts.
    await a.keep();
    expect(first.begun[0]?.signal.aborted).toBe(true);
    await a.idle();
    expect(await rows(job)).toMatchObject([{ attempt: 2, leaseUntil: new Date(now.getTime() + LEASE_MS) }]);
    second.end();
    await b.idle();
    expect(await rows(job)).toEqual([]);
  });

  test("pass on what one that stops has not finished, at once and without a failure", async () => {
    const job = declare("test.stopped");
    const first = held(job);
    const a = worker(first.bound);
    await schedule(job);
    await a.look();
    await a.stop();
    await work(a);
    expect([first.begun.length, failures]).toEqual([1, []]);
    let runs = 0;
    await work(worker(quick(job, () => runs++)));
    expect(runs).toBe(1);
  });

  test("run again what a worker killed in the middle of it left", async () => {
    const job = declare("test.killed");
    await addMissingJobs([{ name: job.name, key: "1", input: { to: "x" }, at: new Date(0) }]);
    const script = await program("test/services/hanging-job.ts");
    // Not later than the time at which the worker takes the job.
    now = new Date();
    const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    await kill(child);
    const runs: number[] = [];
    const runner = new JobRunner([quick(job, () => runs.push(1))], { clock });
    await work(runner);
    expect(runs).toEqual([]);
    now = new Date(Date.now() + LEASE_MS);
    await work(runner);
    expect(runs).toEqual([1]);
    expect(await rows(job)).toEqual([]);
  });

  test.each([3_600_000, -3_600_000])(
    "are due by the database's clock, for a machine that is %d ms ahead",
    async (ahead) => {
      const job = declare("test.odd");
      const ran: string[] = [];
      const real = Date.now();
      vi.useFakeTimers({ toFake: ["Date"], now: real + ahead });
      try {
        await db().transaction((tx) => scheduleJob(tx, job, { key: "now", input: { to: "now" } }));
        await schedule(job, "later", new Date(real + 1_800_000), "later");
        await schedule(job, "earlier", new Date(real - 1_800_000), "earlier");
        const runner = new JobRunner([quick(job, (to) => ran.push(to))]);
        await work(runner);
        expect(ran.sort()).toEqual(["earlier", "now"]);
      } finally {
        vi.useRealTimers();
      }
      expect((await rows(job)).map(({ key }) => key)).toEqual(["later"]);
    },
  );

  test("find what no notification announced", async () => {
    const job = declare("test.unheard");
    const stop = new AbortController();
    let ran: (to: string) => void = () => {};
    const found = new Promise<string>((resolve) => {
      ran = resolve;
    });
    const ended = runTimedWork(stop.signal, [quick(job, ran)], () => []);
    await addMissingJobs([{ name: job.name, key: "1", input: { to: "found" }, at: new Date() }]);
    expect(await found).toBe("found");
    stop.abort();
    await ended;
  });
});

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}
