import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calendarDay } from "@/lib/policy/calendar-day";
import { limits, positiveUnits, units, window } from "@/test/ledger/arbitraries";
import { instant, zone } from "@/test/ledger/policy-arbitraries";
import { InvalidUnits } from "../crypto/errors";
import { NO_LIMIT, type SpendLimits } from "../crypto/policy-commitment";
import { SPEND_MODE, type SpendMode } from "../crypto/terms";
import { type AvailableWindow, NO_WINDOW } from "../crypto/window";
import { type ChainRefusal, chainAllows } from "./chain-allows";
import { acceptsDay, dayWindow } from "./day-window";

const DAY = 86_400n;
const HOUR = 3_600n;
const policy: SpendLimits = { perPayment: 60n, daily: 100n, threshold: 50n };

/** Keeps a list of what counts on which day: the rules of the design in their simplest form. */
class NaiveModel {
  readonly paid: { day: bigint; amount: bigint }[] = [];

  refusal(mode: SpendMode, day: bigint, amount: bigint): ChainRefusal | null {
    if (mode === SPEND_MODE.wallet) return null;
    const counted = this.paid.filter((one) => one.day === this.#dayOf(day));
    if (amount > policy.perPayment) return "per_transaction_limit";
    if (counted.reduce((sum, one) => sum + one.amount, amount) > policy.daily) return "daily_limit";
    return mode === SPEND_MODE.agent && amount > policy.threshold ? "approval_threshold" : null;
  }

  pay(mode: SpendMode, day: bigint, amount: bigint): void {
    if (mode !== SPEND_MODE.wallet) this.paid.push({ day: this.#dayOf(day), amount });
  }

  #dayOf(day: bigint): bigint {
    const later = this.paid.filter((one) => one.day > day).at(-1);
    return later?.day ?? day;
  }
}

describe("the ledger's amount rules", () => {
  const step = fc.record({
    wait: fc.oneof(fc.bigInt(0n, 2n * HOUR), fc.bigInt(0n, 2n * DAY)),
    offset: fc.oneof(fc.constantFrom(-12n * HOUR, 14n * HOUR), fc.bigInt(-12n * HOUR, 14n * HOUR)),
    amount: fc.bigInt(1n, 70n),
    mode: fc.constantFrom<SpendMode>(0, 0, 1, 2),
  });

  // Whatever days an agent names and however it changes time zones, what the ledger lets through stays bounded.
  it("say what a plain list of payments says, and pass at most n + 3 daily limits over n days", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 80 }), (steps) => {
        const model = new NaiveModel();
        const passed: { at: bigint; amount: bigint }[] = [];
        let available = { limit: 1_000_000n, window: NO_WINDOW };
        let now = 1_760_000_000n;
        for (const { wait, offset, amount, mode } of steps) {
          now += wait;
          const named = (now + offset) / DAY;
          expect(acceptsDay(named, now, now)).toBe(true);
          const day = mode === SPEND_MODE.wallet ? 0n : named;
          const verdict = chainAllows(available, policy, { mode, day }, amount);
          expect(verdict.allowed ? null : verdict.reason).toBe(model.refusal(mode, day, amount));
          if (!verdict.allowed) continue;
          expect(verdict.limit).toBe(available.limit - amount);
          model.pay(mode, day, amount);
          if (mode !== SPEND_MODE.wallet) passed.push({ at: now, amount });
          available = { limit: verdict.limit, window: verdict.window };
        }
        for (const { at: from } of passed) {
          for (const { at: to } of passed.filter(({ at }) => at >= from)) {
            const sum = passed.reduce((total, { at, amount }) => (from <= at && at <= to ? total + amount : total), 0n);
            const days = (to - from + DAY - 1n) / DAY;
            expect(sum).toBeLessThanOrEqual((days + 3n) * policy.daily);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it.each([0n, 1n, 5n])("let n + 3 daily limits pass in %i days, and no payment more", (days) => {
    const first = 20_000n;
    const start = dayWindow(first).until - 1n;
    const end = start + days * DAY;
    let available = { limit: 1_000_000n, window: NO_WINDOW };
    let passed = 0n;
    const pay = (day: bigint) => {
      const verdict = chainAllows(available, { ...policy, perPayment: NO_LIMIT }, { mode: 1, day }, policy.daily);
      if (!verdict.allowed) return;
      available = { limit: verdict.limit, window: verdict.window };
      passed += 1n;
    };
    for (let day = first - 3n; day <= first + days + 4n; day++) {
      const { from, until } = dayWindow(day);
      if (from <= end && until > start) for (let again = 0; again < 2; again++) pay(day);
    }
    expect(passed).toBe(days + 3n);
  });

  it("refuse without a policy, in the wallet's mode nothing but what the available balance lacks", () => {
    fc.assert(
      fc.property(units, window, positiveUnits, fc.constantFrom<SpendMode>(0, 1), (limit, w, amount, mode) => {
        const available = { limit, window: w };
        expect(chainAllows(available, null, { mode, day: w.day }, amount)).toEqual({
          allowed: false,
          reason: "no_policy",
        });
        const wallet = chainAllows(available, null, { mode: SPEND_MODE.wallet, day: 0n }, amount);
        if (amount > limit) expect(wallet).toEqual({ allowed: false, reason: "insufficient_funds" });
        else expect(wallet).toEqual({ allowed: true, limit: limit - amount, window: w });
      }),
    );
    expect(() => chainAllows({ limit: 1n, window: NO_WINDOW }, null, { mode: 2, day: 0n }, 0n)).toThrow(InvalidUnits);
  });

  it("without limits still never let what is spent reach 2^64", () => {
    const none: SpendLimits = { perPayment: NO_LIMIT, daily: NO_LIMIT, threshold: NO_LIMIT };
    fc.assert(
      fc.property(window, positiveUnits, (w: AvailableWindow, amount) => {
        const verdict = chainAllows({ limit: NO_LIMIT, window: w }, none, { mode: 0, day: w.day }, amount);
        expect(verdict.allowed).toBe(w.spent + amount <= NO_LIMIT);
      }),
    );
  });

  it("never allow in the agent's mode what they refuse an approved payment", () => {
    fc.assert(
      fc.property(units, window, limits, positiveUnits, (limit, w, l, amount) => {
        const [agent, approved] = ([0, 1] as const).map((mode) =>
          chainAllows({ limit, window: w }, l, { mode, day: w.day }, amount),
        );
        if (agent?.allowed) expect(approved).toEqual(agent);
      }),
    );
  });
});

describe("the window of a day", () => {
  it("holds every moment at which it is that day in some zone", () => {
    fc.assert(
      fc.property(zone, instant, (timeZone, at) => {
        const now = BigInt(Math.floor(at.getTime() / 1000));
        expect(acceptsDay(BigInt(calendarDay(timeZone, at)), now, now)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("ends to the second, for the block as for the deadline", () => {
    const { from, until } = dayWindow(20_779n);
    expect(until - from).toBe(50n * HOUR);
    expect(acceptsDay(20_779n, from, from)).toBe(true);
    expect(acceptsDay(20_779n, from - 1n, until - 1n)).toBe(false);
    expect(acceptsDay(20_779n, until - 1n, until - 1n)).toBe(true);
    expect(acceptsDay(20_779n, until - 1n, until)).toBe(false);
    expect(acceptsDay(20_779n, from + 1n, from)).toBe(false);
  });
});
