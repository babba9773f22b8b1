import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { mostBetween } from "@/lib/turns.fixture";
import { ProverBusy, ProverFailed } from "./prover";
import { type StartThread, WorkerPool } from "./worker-pool";

// Real threads with a small script: "release" kills the thread, "fund" takes a while, the rest is answered at once.
const SCRIPT = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", (job) => {
    if (job.circuit === "release") process.exit(3);
    const answer = () => parentPort.postMessage({ id: job.id, proven: { proof: "0x", publicSignals: [job.input.tag] } });
    if (job.circuit === "fund") setTimeout(answer, 200);
    else answer();
  });`;

let pool: WorkerPool;
let started = 0;

const start: StartThread = (onAnswer, onDeath) => {
  started++;
  const worker = new Worker(SCRIPT, { eval: true });
  worker.on("message", onAnswer);
  worker.once("exit", onDeath);
  return { post: (job) => worker.postMessage(job), terminate: () => void worker.terminate() };
};

function makePool(size: number, queueLimit: number): WorkerPool {
  started = 0;
  pool = new WorkerPool(start, size, queueLimit);
  return pool;
}

afterEach(() => pool.close());

const tagOf = async (answer: Promise<{ publicSignals: bigint[] }>) => (await answer).publicSignals[0];

describe("the worker pool", () => {
  it("gives every caller its own answer", async () => {
    makePool(2, 100);
    const tags = Array.from({ length: 50 }, (_, i) => BigInt(i));
    const answers = await Promise.all(tags.map((tag) => tagOf(pool.prove(tag % 7n ? "transfer" : "fund", { tag }))));
    expect(answers).toEqual(tags);
  });

  it("refuses jobs beyond its queue with ProverBusy, and takes new ones afterwards", async () => {
    makePool(1, 2);
    const accepted = [1n, 2n, 3n].map((tag) => tagOf(pool.prove("fund", { tag })));
    await expect(pool.prove("fund", { tag: 4n })).rejects.toBeInstanceOf(ProverBusy);
    await expect(pool.verify("fund", "0x", [])).rejects.toBeInstanceOf(ProverBusy);
    expect(await Promise.all(accepted)).toEqual([1n, 2n, 3n]);
    expect(await tagOf(pool.prove("transfer", { tag: 5n }))).toBe(5n);
  });

  it("fails only the job whose worker died, and serves the rest with a new worker", async () => {
    makePool(1, 10);
    const killed = expect(pool.prove("release", { tag: 1n })).rejects.toBeInstanceOf(ProverFailed);
    const waiting = tagOf(pool.prove("transfer", { tag: 2n }));
    await killed;
    expect(await waiting).toBe(2n);
    expect(started).toBe(2);
  });

  it("does not start a dead worker over and over while there is nothing to do", async () => {
    makePool(1, 10);
    await expect(pool.prove("release", { tag: 1n })).rejects.toBeInstanceOf(ProverFailed);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(started).toBe(1);
  });

  it("fails what waits when it is closed, and everything later", async () => {
    makePool(1, 10);
    const waiting = [1n, 2n].map((tag) => expect(pool.prove("fund", { tag })).rejects.toBeInstanceOf(ProverFailed));
    await pool.close();
    await Promise.all(waiting);
    await expect(pool.prove("transfer", { tag: 3n })).rejects.toBeInstanceOf(ProverFailed);
  });

  it("serves at most one job of an account at full speed between two of another's, and keeps room for others", async () => {
    const served: string[] = [];
    const running: (() => void)[] = [];
    const inHand: StartThread = (onAnswer) => ({
      post: (job) => {
        if (job.kind !== "prove") throw new Error("this test proves");
        served.push(Number(job.input.tag) === 0 ? "hostile" : "victim");
        running.push(() => onAnswer({ id: job.id, proven: { proof: "0x", publicSignals: [] } }));
      },
      terminate: () => {},
    });
    let account = "";
    pool = new WorkerPool(inHand, 2, 100, undefined, () => account);
    account = "hostile";
    const asked = Array.from({ length: 200 }, () => pool.prove("transfer", { tag: 0n }).catch((error) => error));
    account = "victim";
    for (let i = 0; i < 20; i++) asked.push(pool.prove("transfer", { tag: 1n }));
    while (running.length > 0) running.shift()?.();
    const answers = await Promise.all(asked);
    // Two that run, and half of the queue.
    expect(answers.filter((answer) => answer instanceof ProverBusy)).toHaveLength(200 - 2 - 50);
    expect(served.filter((who) => who === "victim")).toHaveLength(20);
    expect(mostBetween(served, "victim", "hostile")).toBeLessThanOrEqual(1);
  });
});
