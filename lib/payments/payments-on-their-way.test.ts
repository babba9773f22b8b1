import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AvailableId } from "@/lib/balances/lock";
import { comesTo, othersCame } from "./payments-on-their-way";

const AVAILABLE: AvailableId = { chainId: 46630, account: "0x01", asset: "0x02" };
const MOST = { least: 4, enough: 16 };

/** Waits for other payments of an available balance at which some wait. Returns whether the wait is over. */
function gather(waiting: () => number, availableId = AVAILABLE) {
  const state = { over: false };
  void othersCame(availableId, waiting, MOST).then(() => {
    state.over = true;
  });
  return state;
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe("a payment whose turn has come while others are being looked up", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(async () => {
    // A payment that is still counted would affect the next test.
    await vi.advanceTimersByTimeAsync(50);
    vi.useRealTimers();
  });

  it("waits for none when it is alone, or one of three", async () => {
    const alone = gather(() => 1);
    const others = [comesTo(AVAILABLE), comesTo(AVAILABLE)];
    const ofThree = gather(() => 1);
    await settled();
    expect([alone.over, ofThree.over]).toEqual([true, true]);
    for (const arrived of others) arrived();
  });

  it("waits for those of its own available balance until the last has come", async () => {
    let waiting = 1;
    const others = [comesTo(AVAILABLE), comesTo(AVAILABLE), comesTo(AVAILABLE)];
    const gathered = gather(() => waiting);
    const elsewhere = gather(() => 1, { ...AVAILABLE, asset: "0x03" });
    for (const [at, arrived] of others.entries()) {
      await settled();
      expect([gathered.over, elsewhere.over]).toEqual([false, true]);
      waiting += 1;
      arrived();
      // Calling it twice does not count another payment.
      if (at === 0) arrived();
    }
    await settled();
    expect(gathered.over).toBe(true);
  });

  it("does not wait for what fails on its way, where too few are left", async () => {
    const others = [comesTo(AVAILABLE), comesTo(AVAILABLE), comesTo(AVAILABLE)];
    const gathered = gather(() => 1);
    others[0]?.();
    await settled();
    expect(gathered.over).toBe(true);
    for (const arrived of others) arrived();
  });

  it("goes on when a batch is full, when none has come for 50 ms, and after 200 ms whatever comes", async () => {
    let waiting = 15;
    const others = [comesTo(AVAILABLE), comesTo(AVAILABLE)];
    const full = gather(() => waiting);
    waiting = 16;
    others[0]?.();
    await settled();
    expect(full.over).toBe(true);
    waiting = 5;
    const slow = gather(() => waiting);
    await vi.advanceTimersByTimeAsync(49);
    expect(slow.over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(slow.over).toBe(true);
    const steady = gather(() => waiting);
    for (let passed = 0; passed < 200; passed += 40) {
      expect(steady.over).toBe(false);
      comesTo(AVAILABLE)();
      await vi.advanceTimersByTimeAsync(40);
    }
    expect(steady.over).toBe(true);
    others[1]?.();
  });
});
