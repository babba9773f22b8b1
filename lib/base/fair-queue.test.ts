import { describe, expect, it } from "vitest";
import { mostBetween } from "@/test/services/most-between";
import { FairQueue, TurnNotReached } from "./fair-queue";

/** Starts and ends jobs one by one, and records which accounts were served. */
class Bench {
  readonly served: string[] = [];
  private readonly running: { account: string; release: () => void }[] = [];

  constructor(private readonly queue: FairQueue) {}

  /** Queues jobs. Each runs until it is ended. */
  bring(account: string, times = 1): void {
    for (let i = 0; i < times; i++) {
      void this.queue.take(account).then((release) => {
        this.served.push(account);
        this.running.push({ account, release });
      });
    }
  }

  /** Ends the longest-running job, of one account or of any. */
  async endOne(account?: string): Promise<void> {
    await Promise.resolve();
    const index = this.running.findIndex((job) => account === undefined || job.account === account);
    this.running.splice(index, 1)[0]?.release();
    await Promise.resolve();
    await Promise.resolve();
  }
}

describe("slots that accounts take in turn", () => {
  it("serve at most one job of every other account between two of one that waits", async () => {
    for (const slots of [1, 2, 7]) {
      const bench = new Bench(new FairQueue({ slots }));
      bench.bring("hostile", 500);
      bench.bring("victim", 20);
      bench.bring("third", 20);
      for (let i = 0; i < 540; i++) await bench.endOne();
      expect(mostBetween(bench.served.slice(slots), "victim", "hostile")).toBeLessThanOrEqual(1);
      expect(bench.served.filter((account) => account === "victim")).toHaveLength(20);
      expect(bench.served).toHaveLength(540);
    }
  });

  it("let one in after one job of each other, who comes back again and again with a single job", async () => {
    const bench = new Bench(new FairQueue({ slots: 1 }));
    bench.bring("hostile", 500);
    for (let i = 0; i < 30; i++) {
      const before = bench.served.length;
      bench.bring("victim");
      await bench.endOne();
      await bench.endOne();
      expect(bench.served.slice(before)).toContain("victim");
      if (bench.served.at(-1) === "victim") await bench.endOne();
    }
  });

  it("never give an account more than its share, and the rest to anyone who comes", async () => {
    const queue = new FairQueue({ slots: 4, share: 3 });
    const bench = new Bench(queue);
    bench.bring("hostile", 10);
    await Promise.resolve();
    expect(queue.load("hostile")).toEqual({ running: 3, waiting: 7 });
    bench.bring("victim");
    await Promise.resolve();
    expect(queue.load("victim")).toEqual({ running: 1, waiting: 0 });
    expect(queue.load()).toEqual({ running: 4, waiting: 7 });
  });

  it("keep the order of an account's own jobs", async () => {
    const queue = new FairQueue({ slots: 1 });
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3, 4].map((job) =>
        queue.run("one", async () => {
          order.push(job);
        }),
      ),
    );
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it("are given back once, also by work that fails, and lose no one who gave up waiting", async () => {
    const queue = new FairQueue({ slots: 1 });
    const release = await queue.take("one");
    await expect(queue.take("two", 1)).rejects.toBeInstanceOf(TurnNotReached);
    const third = queue.run("three", () => Promise.reject(new Error("failed")));
    release();
    release();
    await expect(third).rejects.toThrow("failed");
    expect(queue.load()).toEqual({ running: 0, waiting: 0 });
    expect(queue.tryTake("one")).not.toBeNull();
    expect(queue.tryTake("two")).toBeNull();
  });
});
