import { expect, test } from "vitest";
import {
  ceilingOf,
  compact,
  daysUntil,
  flowsOf,
  MONTHS,
  monthsUntil,
  OTHERS,
  rounded,
  seriesOf,
  sinceOf,
} from "./spend";

test("six months are shown, also over the turn of a year, and what is listed begins with the first", () => {
  const now = new Date(2026, 1, 14, 12);
  expect(monthsUntil(now)).toEqual(["2025-09", "2025-10", "2025-11", "2025-12", "2026-01", "2026-02"]);
  expect(Date.parse(sinceOf(now))).toBe(new Date(2025, 8, 1).getTime() - 1);
});

test("payers are summed by month, the largest first; another asset and older months do not count", () => {
  const months = monthsUntil(new Date(2026, 10, 25));
  const spent = [
    { month: "2026-11", payer: "@a/bot", asset: "USDG", amount: "12.5" },
    { month: "2026-10", payer: "@a/bot", asset: "USDG", amount: "7.5" },
    { month: "2026-11", payer: "@a", asset: "USDG", amount: "100" },
    { month: "2026-11", payer: "@a", asset: "ETH", amount: "3" },
    { month: "2025-11", payer: "@a", asset: "USDG", amount: "9" },
  ];
  expect(seriesOf(spent, "USDG", months)).toEqual([
    { payer: "@a", total: 100, sums: [0, 0, 0, 0, 0, 100] },
    { payer: "@a/bot", total: 20, sums: [0, 0, 0, 0, 7.5, 12.5] },
  ]);
});

test("many payers are the four largest and the others together; none is lost", () => {
  const months = monthsUntil(new Date(2026, 10, 25));
  const spent = Array.from({ length: 50 }, (_, at) => {
    return { month: "2026-11", payer: `@a/bot${at}`, asset: "USDG", amount: String(at + 1) };
  });
  const series = seriesOf(spent, "USDG", months);
  expect(series.map(({ payer }) => payer)).toEqual(["@a/bot49", "@a/bot48", "@a/bot47", "@a/bot46", OTHERS]);
  expect(series.reduce((sum, { total }) => sum + total, 0)).toBe((50 * 51) / 2);
  expect(series.every(({ sums }) => sums.length === MONTHS)).toBe(true);
});

test("an axis ends at a round number that covers the highest column", () => {
  expect([0, 0.4, 1, 1.2, 3, 5, 51, 900].map(ceilingOf)).toEqual([1, 0.5, 1, 2, 5, 5, 100, 1000]);
});

test("sums are written as amounts are, small ones to the last unit, and shortly below a column", () => {
  expect([1234.5, 0.000000001, 1_250_000].map(rounded)).toEqual(["1,234.50", "0.000000001", "1,250,000.00"]);
  expect([1234.5, 0.000123, 1_250_000].map(compact)).toEqual(["1.23K", "0.00012", "1.25M"]);
});

test("thirty days are shown, over the turn of a month; what came in and what went out are summed by day, of one agent alone if asked", () => {
  const days = daysUntil(new Date(2026, 2, 1, 23));
  expect([days.length, days[0], days.at(-1)]).toEqual([30, "2026-01-31", "2026-03-01"]);
  const flow = { day: "2026-03-01", asset: "USDG", of: "@a", direction: "out" as const, amount: "2.5" };
  const flows = [
    flow,
    { ...flow, of: "@a/bot", amount: "1" },
    { ...flow, direction: "in" as const, amount: "9" },
    { ...flow, day: "2026-01-31", amount: "4" },
    { ...flow, day: "2026-01-30", amount: "100" },
    { ...flow, asset: "ETH", amount: "100" },
  ];
  const all = flowsOf(flows, "USDG", days);
  expect([all.paidOut[0], all.paidOut[29], all.paidIn[29]]).toEqual([4, 3.5, 9]);
  expect(flowsOf(flows, "USDG", days, "@a/bot").paidOut[29]).toBe(1);
});
