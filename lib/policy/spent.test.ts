import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localDay } from "@/lib/policy/local-time";
import {
  addSpent,
  COUNTED_RECIPIENTS,
  InvalidCounters,
  paymentsBetween,
  spentInMonth,
  spentOnDay,
  spentWith,
} from "@/lib/policy/spent";
import { amount, instant, zone } from "@/test/ledger/policy-arbitraries";

const at = (text: string) => new Date(text);
const spend = (payments: [string, bigint][]) =>
  payments.reduce<Uint8Array | undefined>((counters, [when, units]) => addSpent(counters, at(when), units), undefined);

const minute = 60_000;
/** Consecutive payments, minutes to a day and a half apart. */
const history = fc
  .tuple(instant, fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), amount), { minLength: 1, maxLength: 60 }))
  .chain(([start, steps]) =>
    fc.constantFrom(1, 5, 60).map((scale) => {
      let time = start.getTime();
      return steps.map(([step, units]) => {
        time += step * scale * 0.1 * minute;
        return { at: new Date(time), units };
      });
    }),
  );

/** Returns the date in a time zone as text, by a different method than the code under test. */
const dateIn = (timeZone: string, when: Date) => when.toLocaleDateString("sv-SE", { timeZone });

describe("what was spent on a day", () => {
  it("is nothing before the first payment", () => {
    expect(spentOnDay(undefined, "UTC", new Date(0))).toBe(0n);
  });

  it("starts again at the zone's midnight, to the millisecond", () => {
    const counters = spend([["2026-11-20T22:59:59.999Z", 5n]]);
    expect(spentOnDay(counters, "Europe/Zurich", at("2026-11-20T22:59:59.999Z"))).toBe(5n);
    expect(spentOnDay(counters, "Europe/Zurich", at("2026-11-20T23:00:00.000Z"))).toBe(0n);
    expect(spentOnDay(counters, "UTC", at("2026-11-20T23:00:00.000Z"))).toBe(5n);
  });

  it("counts a whole day of 26 hours, and nothing of the day before", () => {
    const counters = spend([
      ["2026-10-24T21:59:00Z", 1n],
      ["2026-10-24T22:00:00Z", 10n],
      ["2026-10-25T12:00:00Z", 100n],
    ]);
    expect(spentOnDay(counters, "Antarctica/Troll", at("2026-10-25T23:59:59Z"))).toBe(110n);
    expect(
      spentOnDay(addSpent(counters, at("2026-10-25T23:59:59Z"), 1000n), "Antarctica/Troll", at("2026-10-25T23:59:59Z")),
    ).toBe(1110n);
  });

  it("is the sum of that date's payments in every zone, also of one never used before", () => {
    fc.assert(
      fc.property(history, zone, fc.integer({ min: 0, max: 36 * 60 }), (payments, timeZone, later) => {
        let counters: Uint8Array | undefined;
        let last = payments[0]?.at ?? new Date(0);
        for (const { at: when, units } of payments) {
          counters = addSpent(counters, when, units);
          last = when;
        }
        const now = new Date(last.getTime() + later * minute);
        const today = payments.filter(({ at: when }) => dateIn(timeZone, when) === dateIn(timeZone, now));
        expect(spentOnDay(counters, timeZone, now)).toBe(today.reduce((sum, { units }) => sum + units, 0n));
      }),
      { numRuns: 500 },
    );
  });

  it("does not depend on the order in which clocks a little apart wrote it", () => {
    const [first, second] = [at("2026-11-21T10:16:00Z"), at("2026-11-21T10:14:00Z")];
    expect(addSpent(addSpent(undefined, first, 1n), second, 2n)).toEqual(
      addSpent(addSpent(undefined, second, 2n), first, 1n),
    );
  });

  it("stops at 2^64 - 1 in a quarter instead of starting again", () => {
    const most = (1n << 64n) - 1n;
    const counters = addSpent(addSpent(undefined, at("2026-11-21T10:00:00Z"), most), at("2026-11-21T10:01:00Z"), 5n);
    expect(spentOnDay(counters, "UTC", at("2026-11-21T10:02:00Z"))).toBe(most);
  });
});

describe("what was spent in a month", () => {
  const counting = (month: number, recipient: string | null = null) => ({ month, recipient });
  const [bob, eve] = [`0x${"b0".repeat(20)}`, `0x${"e0".repeat(20)}`];

  it("is the sum of its payments, by recipient where that is counted, and begins again with the next", () => {
    let counters = addSpent(undefined, at("2026-11-20T10:00:00Z"), 5n, counting(10, bob));
    counters = addSpent(counters, at("2026-11-28T10:00:00Z"), 7n, counting(10, eve));
    counters = addSpent(counters, at("2026-11-29T10:00:00Z"), 1n, counting(10));
    expect(spentInMonth(counters, 10)).toBe(13n);
    expect([bob, eve].map((one) => spentWith(counters, counting(10, one)))).toEqual([5n, 7n]);
    expect([spentInMonth(counters, 11), spentWith(counters, counting(11, bob))]).toEqual([0n, 0n]);
    counters = addSpent(counters, at("2026-12-01T10:00:00Z"), 2n, counting(11));
    // A process whose clock is behind continues to count in the later month.
    expect([spentInMonth(counters, 11), spentInMonth(counters, 10)]).toEqual([2n, 2n]);
  });

  it("is not counted any more once the policy counts none, and the day goes on", () => {
    let counters = addSpent(undefined, at("2026-11-20T10:00:00Z"), 5n, counting(10, bob));
    counters = addSpent(counters, at("2026-11-20T10:01:00Z"), 5n);
    expect([spentInMonth(counters, 10), spentOnDay(counters, "UTC", at("2026-11-20T11:00:00Z"))]).toEqual([0n, 10n]);
  });

  it("of one recipient more than can be counted is as much as there can be", () => {
    let counters: Uint8Array | undefined;
    const payee = (index: number) => `0x${index.toString(16).padStart(40, "a")}`;
    const spread = (index: number) => `0x${index.toString(16).padStart(16, "0")}${"0".repeat(24)}`;
    for (let index = 1; index <= COUNTED_RECIPIENTS; index++) {
      counters = addSpent(counters, new Date(Date.UTC(2026, 10, 20, 0, index * 15)), 1n, counting(10, spread(index)));
    }
    expect(counters?.length).toBeLessThanOrEqual(4096);
    expect(spentWith(counters, counting(10, spread(1)))).toBe(1n);
    expect(spentWith(counters, counting(10, payee(1)))).toBe((1n << 64n) - 1n);
  });

  it("leaves room for a payment in every quarter of the longest day", () => {
    let counters: Uint8Array | undefined;
    for (let quarter = 0; quarter < 300; quarter++) {
      const recipient = `0x${(quarter % COUNTED_RECIPIENTS).toString(16).padStart(16, "0")}${"0".repeat(24)}`;
      counters = addSpent(counters, new Date(Date.UTC(2026, 10, 20, 0, quarter * 15)), 1n, counting(10, recipient));
    }
    expect(counters?.length).toBe(14 + COUNTED_RECIPIENTS * 16 + 109 * 16);
  });
});

describe("the number of payments of a day", () => {
  const counting = { month: 10, recipient: null };

  it("is what was paid, since it is counted, and starts again at the zone's midnight", () => {
    let counters = addSpent(undefined, at("2026-11-20T22:50:00Z"), 5n, counting);
    for (let more = 0; more < 3; more++) counters = addSpent(counters, at("2026-11-20T22:59:59Z"), 5n, counting);
    expect(paymentsBetween(counters, localDay("Europe/Zurich", at("2026-11-20T22:59:59Z")))).toBe(4);
    expect(paymentsBetween(counters, localDay("Europe/Zurich", at("2026-11-20T23:00:00Z")))).toBe(0);
    expect(paymentsBetween(counters, localDay("UTC", at("2026-11-20T23:00:00Z")))).toBe(4);
  });
});

describe("the counters' bytes", () => {
  it("stay within what an available balance state holds, with a payment every minute of two days", () => {
    let counters: Uint8Array | undefined;
    for (let i = 0; i < 2 * 24 * 60; i++) counters = addSpent(counters, new Date(Date.UTC(2026, 10, 21, 0, i)), 1n);
    expect(counters?.length).toBeLessThanOrEqual(1 + 109 * 12);
  });

  it("are the documented ones", () => {
    const counters = addSpent(undefined, new Date(900_000 * 0x01020304), 0x05060708n);
    expect([...counters]).toEqual([1, 1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8]);
  });

  it("are never changed in place", () => {
    const counters = addSpent(undefined, at("2026-11-21T10:00:00Z"), 1n);
    const copy = counters.slice();
    addSpent(counters, at("2026-11-21T10:00:00Z"), 1n);
    expect(counters).toEqual(copy);
  });

  const one = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1];
  const two = [0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1];
  it.each([
    ["nothing", []],
    ["a version alone", [1]],
    ["another version", [2, ...one]],
    ["a byte too few", [1, ...one.slice(1)]],
    ["a byte too many", [1, ...one, 0]],
    ["a quarter twice", [1, ...one, ...one]],
    ["quarters out of order", [1, ...two, ...one]],
    ["a quarter without spend", [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
  ])("of %s are refused", (_, bytes) => {
    expect(() => spentOnDay(Uint8Array.from(bytes), "UTC", new Date())).toThrow(InvalidCounters);
    expect(() => addSpent(Uint8Array.from(bytes), new Date(), 1n)).toThrow(InvalidCounters);
  });

  it.each([0n, -1n, 1n << 64n])("take no payment of %d units", (units) => {
    expect(() => addSpent(undefined, new Date(), units)).toThrow(RangeError);
  });
});
