import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/base/errors";
import { AccountConcurrency, type RequestSlot } from "./account-concurrency";

/** Starts requests of an account, and records in which order they begin. */
function bring(
  lines: AccountConcurrency,
  account: string,
  count: number,
  by?: Parameters<AccountConcurrency["enter"]>[1],
  isChange?: boolean,
) {
  const begun: number[] = [];
  const slots: RequestSlot[] = [];
  const refused: unknown[] = [];
  for (let i = 0; i < count; i++) {
    const slot = lines.enter(account, by);
    slots.push(slot);
    slot.acquire(isChange).then(
      () => begun.push(i),
      (error: unknown) => refused.push(error),
    );
  }
  return { begun, slots, refused };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe("the line of an account's requests", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("lets an account that is alone have the whole process", async () => {
    const { begun } = bring(new AccountConcurrency(100), "one", 64);
    await settled();
    expect(begun).toHaveLength(64);
  });

  it("works on two at once while another account asks, in the order they came, and each in the end", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5), { minLength: 60, maxLength: 60 }), async (ending) => {
        const lines = new AccountConcurrency(100);
        const victim = lines.enter("victim");
        const { begun, slots } = bring(lines, "hostile", 40);
        const ended = new Set<number>();
        for (const which of ending) {
          await settled();
          lines.enter("victim").leave();
          const under = begun.filter((at) => !ended.has(at));
          expect(under).toHaveLength(Math.min(2, 40 - ended.size));
          const end = under[which % Math.max(1, under.length)];
          if (end === undefined) break;
          ended.add(end);
          slots[end]?.leave();
        }
        expect(begun).toEqual(Array.from({ length: 40 }, (_, at) => at));
        victim.leave();
        expect(lines.load("hostile")).toEqual({ placed: 0, waiting: 0, inside: 0 });
      }),
      { numRuns: 20 },
    );
  });

  it("never keeps one account waiting for another", async () => {
    const lines = new AccountConcurrency(100);
    bring(lines, "hostile", 100);
    const { begun } = bring(lines, "victim", 2);
    await settled();
    expect(begun).toEqual([0, 1]);
  });

  it("lets the next one begin when one says that it waits, and asks nothing of that one again", async () => {
    const lines = new AccountConcurrency(100);
    lines.enter("other");
    const { begun, slots } = bring(lines, "payer", 4);
    await settled();
    expect(begun).toEqual([0, 1]);
    slots[1]?.release();
    slots[1]?.release();
    await settled();
    expect(begun).toEqual([0, 1, 2]);
    slots[1]?.leave();
    slots[1]?.leave();
    await settled();
    expect(begun).toEqual([0, 1, 2]);
    expect(lines.load("payer")).toEqual({ placed: 2, waiting: 1, inside: 3 });
  });

  it("goes on although those that have begun never end: they wait for something", async () => {
    const lines = new AccountConcurrency(100);
    const { begun } = bring(lines, "stuck", 20);
    const other = lines.enter("other");
    const { begun: later } = bring(lines, "slow", 20);
    other.leave();
    await settled();
    expect(begun).toHaveLength(20);
    expect(later).toHaveLength(2);
    for (let waited = 0; waited < 9; waited++) {
      await vi.advanceTimersByTimeAsync(500);
      lines.enter("other").leave();
    }
    expect(later).toHaveLength(20);
  });

  it("has at most its share of the process, with those whose bodies have yet to come, and room when they have gone", () => {
    const lines = new AccountConcurrency(3);
    const slots = [lines.enter("one"), lines.enter("one"), lines.enter("one")];
    expect(() => lines.enter("one")).toThrow(expect.objectContaining({ code: "rate_limited", retryAfter: 1 }));
    expect(() => lines.enter("another")).not.toThrow();
    slots[0]?.leave();
    expect(() => lines.enter("one")).not.toThrow();
  });

  it("lets the owner in, whose keys and agents have their whole share and never end", async () => {
    const lines = new AccountConcurrency(8);
    lines.enter("other");
    bring(lines, "owner", 8);
    await settled();
    expect(() => lines.enter("owner")).toThrow(expect.objectContaining({ code: "rate_limited" }));
    const revoking = lines.enter("owner", { kind: "session" });
    let hasBegun = false;
    void revoking.acquire().then(() => {
      hasBegun = true;
    });
    await settled();
    expect(hasBegun).toBe(true);
    revoking.leave();
    expect(lines.load("owner", "session")).toEqual({ placed: 0, waiting: 0, inside: 0 });
    expect(lines.load("owner")).toEqual({ placed: 2, waiting: 6, inside: 8 });
  });

  const BY_AGENT = { kind: "api_key", ofAgent: true } as const;

  it("leaves half of the share to the owner's keys, however many bodies of an agent never end", () => {
    const lines = new AccountConcurrency(8);
    for (let body = 0; body < 4; body += 1) lines.enter("owner", BY_AGENT);
    expect(() => lines.enter("owner", BY_AGENT)).toThrow(expect.objectContaining({ code: "rate_limited" }));
    const own = [1, 2, 3, 4].map(() => lines.enter("owner"));
    expect(() => lines.enter("owner")).toThrow(expect.objectContaining({ code: "rate_limited" }));
    own[0]?.leave();
    expect(() => lines.enter("owner", BY_AGENT)).toThrow(expect.objectContaining({ code: "rate_limited" }));
    expect(() => lines.enter("owner")).not.toThrow();
  });

  it("lets an agent have all places while no key of its owner waits, and half of them while one does", async () => {
    const lines = new AccountConcurrency(100);
    lines.enter("other");
    const agent = bring(lines, "owner", 40, BY_AGENT);
    await settled();
    expect(agent.begun).toEqual([0, 1]);
    const own = bring(lines, "owner", 2);
    agent.slots[0]?.leave();
    await settled();
    expect([agent.begun, own.begun]).toEqual([[0, 1], [0]]);
    own.slots[0]?.leave();
    await settled();
    expect([agent.begun, own.begun]).toEqual([
      [0, 1],
      [0, 1],
    ]);
    agent.slots[1]?.leave();
    await settled();
    expect(agent.begun).toEqual([0, 1, 2]);
    own.slots[1]?.leave();
    await settled();
    expect(agent.begun).toEqual([0, 1, 2, 3]);
  });

  it("gives every second place to a change, so that a payment does not wait behind all reads, nor they behind it", async () => {
    const lines = new AccountConcurrency(100);
    lines.enter("other");
    const reads = bring(lines, "owner", 40);
    const changes = bring(lines, "owner", 3, undefined, true);
    await settled();
    const next: number[][] = [];
    const over = new Set<RequestSlot | undefined>();
    for (let turn = 0; turn < 5; turn += 1) {
      const begun = [reads, changes].flatMap((each) => each.begun.map((at) => each.slots[at]));
      const slot = begun.find((one) => !over.has(one));
      over.add(slot);
      slot?.leave();
      await settled();
      next.push([reads.begun.length, changes.begun.length]);
    }
    expect(next).toEqual([
      [2, 1],
      [3, 1],
      [3, 2],
      [4, 2],
      [4, 3],
    ]);
  });

  it("begins no faster than its pace while another account asks, without an end to the wait", async () => {
    const lines = new AccountConcurrency(100, 5);
    const alone = bring(lines, "owner", 3);
    await settled();
    expect(alone.begun).toEqual([0, 1, 2]);
    for (const slot of alone.slots) slot.leave();
    await vi.advanceTimersByTimeAsync(1_000);
    lines.enter("other");
    const { begun, slots } = bring(lines, "owner", 20);
    const pass = async (ms: number) => {
      for (let each = 0; each < ms; each += 1) {
        for (const at of begun) slots[at]?.leave();
        await vi.advanceTimersByTimeAsync(1);
      }
    };
    await pass(50);
    expect(begun.length).toBeGreaterThanOrEqual(10);
    expect(begun.length).toBeLessThanOrEqual(11);
    await pass(60);
    expect(begun).toHaveLength(20);
  });

  it("begins the second of two at its pace, while the first is still under way", async () => {
    const lines = new AccountConcurrency(100, 5);
    lines.enter("other");
    const { begun } = bring(lines, "owner", 2);
    await settled();
    expect(begun).toEqual([0]);
    await vi.advanceTimersByTimeAsync(5);
    expect(begun).toEqual([0, 1]);
  });

  it("refuses what has waited for ten seconds", async () => {
    const lines = new AccountConcurrency(1_000);
    const ask = () => lines.enter("other").leave();
    ask();
    const { begun, refused } = bring(lines, "slow", 400);
    for (let waited = 0; waited < 11_000; waited += 500) {
      ask();
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(begun.length + refused.length).toBe(400);
    expect(begun.length).toBeGreaterThanOrEqual(40);
    expect(refused.length).toBeGreaterThan(200);
    expect(refused[0]).toBeInstanceOf(ApiError);
  });
});
