import { describe, expect, it } from "vitest";
import { mostBetween } from "@/test/services/most-between";
import { type Sending, Slots, type SlotsOptions } from "./slots";

/** Attempts that end when the test says so. */
class Bench {
  readonly served: Sending[] = [];
  private readonly running: (() => void)[] = [];
  private readonly slots: Slots;

  constructor(options: SlotsOptions) {
    this.slots = new Slots(options);
  }

  bring(sending: Sending, times: number): void {
    for (let i = 0; i < times; i++) {
      const slot = this.slots.take(sending);
      const begin = (release: () => void) => {
        this.served.push(sending);
        this.running.push(release);
      };
      if (slot instanceof Promise) void slot.then(begin);
      else begin(slot);
    }
  }

  /** Ends the attempt that has run longest. */
  async endOne(): Promise<void> {
    this.running.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
  }

  accounts = () => this.served.map(({ account }) => account);
  under = (name: keyof Sending, value: string) =>
    this.served.slice(-this.running.length).filter((sending) => sending[name] === value).length;
}

const to = (account: string, host: string): Sending => ({ account, host });

describe("places for attempts", () => {
  it("serve at most two of an account with 100 endpoints between two of another", async () => {
    const bench = new Bench({ most: 8 });
    for (let i = 0; i < 100; i++) bench.bring(to("hostile", `h${i}.example`), 8);
    bench.bring(to("victim", "v.example"), 20);
    for (let i = 0; i < 820; i++) await bench.endOne();
    expect(bench.served).toHaveLength(820);
    expect(mostBetween(bench.accounts(), "victim", "hostile")).toBeLessThanOrEqual(2);
  });

  it("keep to an account's share and leave the rest free, also for anyone who comes later", () => {
    const bench = new Bench({ most: 8 });
    for (let i = 0; i < 100; i++) bench.bring(to("hostile", `h${i}.example`), 8);
    expect(bench.accounts()).toEqual(["hostile", "hostile"]);
    bench.bring(to("victim", "v.example"), 1);
    expect(bench.accounts().at(-1)).toBe("victim");
  });

  it("send one host no more than its share at once, no matter who subscribed it, and others meanwhile", async () => {
    const bench = new Bench({ most: 8, mostOfAccount: 8 });
    bench.bring(to("one", "target.example"), 100);
    bench.bring(to("two", "target.example"), 100);
    bench.bring(to("one", "own.example"), 2);
    expect(bench.under("host", "target.example")).toBe(2);
    expect(bench.under("host", "own.example")).toBe(2);
    // Slots of a host are also taken in turn.
    for (let i = 0; i < 50; i++) await bench.endOne();
    const atHost = bench.served.filter(({ host }) => host === "target.example").map(({ account }) => account);
    expect(mostBetween(atHost, "two", "one")).toBeLessThanOrEqual(1);
  });

  it("count what takes long apart, up to an account's share of that", async () => {
    const bench = new Bench({
      most: 4,
      mostOfAccount: 2,
      mostToHost: 4,
      mostSlow: 8,
      mostSlowToHost: 8,
      slowAfterMs: 0,
    });
    bench.bring(to("hostile", "slow.example"), 20);
    // Slow attempts give up their slots, until two slow ones use up the account's share of eight.
    await expect.poll(() => bench.served.length).toBe(4);
    bench.bring(to("victim", "v.example"), 1);
    expect(bench.accounts().at(-1)).toBe("victim");
  });
});
