import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import type { CircuitName } from "@/lib/ledger/prepare/witness";
import { mostBetween } from "@/test/services/most-between";
import { ProverBusy, ProverFailed } from "./prover";
import { type StartThread, WorkerPool } from "./worker-pool";

// Real threads with a small script: "release" kills the thread, "fund" takes a while, "balance" lacks SIMD, and other
// jobs return at once. Verifying "spend" returns false, and verifying "make-available" never ends.
const SCRIPT = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", (job) => {
    if (job.circuit === "release") process.exit(3);
    if (job.circuit === "balance") return parentPort.postMessage({ id: job.id, error: "ProverUnsupported" });
    const reply = () => parentPort.postMessage({ id: job.id, proven: { proof: "0x", publicSignals: [job.input.tag] } });
    if (job.circuit === "fund") return setTimeout(reply, 200);
    reply();
    if (!job.check || job.circuit === "make-available") return;
    parentPort.postMessage({ id: job.id, verified: job.circuit !== "spend" });
  });`;

let pool: WorkerPool;
let started = 0;
/** The newest thread. */
let newest: Worker;

const start: StartThread = (onReply, onDeath) => {
  started++;
  const worker = new Worker(SCRIPT, { eval: true });
  newest = worker;
  worker.on("message", onReply);
  worker.once("exit", onDeath);
  return { post: (job) => worker.postMessage(job), terminate: () => void worker.terminate() };
};

function makePool(size: number, queueLimit: number): WorkerPool {
  started = 0;
  pool = new WorkerPool(start, size, queueLimit);
  return pool;
}

afterEach(() => pool.close());

const tagOf = async (reply: Promise<{ publicSignals: bigint[] }>) => (await reply).publicSignals[0];

describe("the worker pool", () => {
  it("gives every caller its own response", async () => {
    makePool(2, 100);
    const tags = Array.from({ length: 50 }, (_, i) => BigInt(i));
    const replies = await Promise.all(tags.map((tag) => tagOf(pool.prove(tag % 7n ? "transfer" : "fund", { tag }))));
    expect(replies).toEqual(tags);
  });

  it("says that the platform cannot prove, where that is so", async () => {
    makePool(1, 10);
    const refused = expect(pool.prove("balance", {})).rejects;
    await refused.toMatchObject({ name: "ProverUnsupported", message: expect.stringContaining("Update it") });
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

  it("says first what is proven, and then whether the same thread could verify it", async () => {
    makePool(1, 10);
    const [good, bad] = await Promise.all([
      pool.proveAndVerify("transfer", { tag: 1n }),
      pool.proveAndVerify("spend", { tag: 2n }),
    ]);
    expect([good.publicSignals, await good.verified]).toEqual([[1n], true]);
    expect([bad.publicSignals, await bad.verified]).toEqual([[2n], false]);
    const unchecked = await pool.proveAndVerify("make-available", { tag: 3n });
    expect(pool.load()).toEqual({ waiting: 0, running: 1 });
    const failed = expect(unchecked.verified).rejects.toBeInstanceOf(ProverFailed);
    await newest.terminate();
    await failed;
    await expect(pool.proveAndVerify("release", { tag: 4n })).rejects.toBeInstanceOf(ProverFailed);
    expect(await tagOf(pool.prove("transfer", { tag: 5n }))).toBe(5n);
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

  /**
   * A pool whose jobs end in the order in which they began, one per call of `endOne`, with a clock that stands still.
   */
  function inHand(size: number) {
    const served: string[] = [];
    const running: (() => void)[] = [];
    const hand = { account: "", now: 0, served, running, endOne: () => running.shift()?.() };
    const startInHand: StartThread = (onReply) => ({
      post: (job) => {
        if (job.kind !== "prove") throw new Error("this test proves");
        served.push(Number(job.input.tag) === 0 ? "hostile" : "victim");
        running.push(() => onReply({ id: job.id, proven: { proof: "0x", publicSignals: [] } }));
      },
      terminate: () => {},
    });
    pool = new WorkerPool(
      startInHand,
      size,
      100,
      undefined,
      () => hand.account,
      () => hand.now,
    );
    const ask = (account: "hostile" | "victim", times: number, circuit: CircuitName = "transfer") => {
      hand.account = account;
      const tag = account === "hostile" ? 0n : 1n;
      return Array.from({ length: times }, () => pool.prove(circuit, { tag }).catch((error) => error));
    };
    return { ...hand, hand, ask };
  }

  it("serves at most one job of an account at full speed between two of another's, and keeps room for others", async () => {
    const { ask, served, running, endOne } = inHand(2);
    const asked = [...ask("hostile", 200), ...ask("victim", 20)];
    while (running.length > 0) endOne();
    const replies = await Promise.all(asked);
    // Two running jobs, and half of the queue.
    expect(replies.filter((reply) => reply instanceof ProverBusy)).toHaveLength(200 - 2 - 50);
    expect(served.filter((who) => who === "victim")).toHaveLength(20);
    expect(mostBetween(served, "victim", "hostile")).toBeLessThanOrEqual(1);
  });

  it("shares its threads by time: an account with long proofs gets no more than one with short ones", async () => {
    const { hand, ask, served, running, endOne } = inHand(1);
    const lasts = { hostile: 250, victim: 50 };
    // What a proof takes is known once one is done.
    const asked = [...ask("hostile", 1, "pay-many"), ...ask("victim", 1)];
    while (running.length > 0) {
      hand.now += lasts[served.at(-1) as keyof typeof lasts];
      endOne();
    }
    served.splice(0);
    asked.push(...ask("hostile", 10, "pay-many"), ...ask("victim", 20));
    while (running.length > 0) {
      hand.now += lasts[served.at(-1) as keyof typeof lasts];
      endOne();
    }
    await Promise.all(asked);
    const both = served.slice(0, served.lastIndexOf("victim") + 1);
    expect(both.filter((who) => who === "victim")).toHaveLength(20);
    expect(both.filter((who) => who === "hostile").length).toBeLessThanOrEqual(5);
    expect(mostBetween(both, "victim", "hostile")).toBeLessThanOrEqual(1);
  });

  it("gives an account all threads while it is alone, and keeps one for others who asked half a second ago", async () => {
    const { hand, ask, served, running, endOne } = inHand(3);
    const asked = ask("hostile", 50);
    expect(running).toHaveLength(3);
    asked.push(...ask("victim", 1));
    while (!served.includes("victim")) endOne();
    while (running.length > 2) endOne();
    // The victim's job is done. Its thread stays reserved, so its next job starts at once.
    for (let turn = 0; turn < 5; turn++) {
      asked.push(...ask("victim", 1));
      expect(served.at(-1)).toBe("victim");
      while (running.length > 2) endOne();
      expect(pool.load().running).toBe(2);
    }
    hand.now += 501;
    endOne();
    expect(running).toHaveLength(3);
    while (running.length > 0) endOne();
    expect(await Promise.all(asked)).not.toContainEqual(expect.any(ProverBusy));
  });
});
