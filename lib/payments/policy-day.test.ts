import { expect, test } from "vitest";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { windowAfter } from "@/lib/ledger/crypto/window-after";
import { acceptsDay } from "@/lib/ledger/policy/day-window";
import { calendarDay } from "@/lib/policy/calendar-day";
import { policyDayAt } from "./policy-day";

const HOUR = 3_600_000;
const seconds = (at: Date) => BigInt(Math.floor(at.getTime() / 1000));
const later = (at: Date, ms: number) => new Date(at.getTime() + ms);

/** Time zones at both ends of the day, with and without daylight saving, and with unusual offsets. */
const ZONES = [
  "Pacific/Kiritimati",
  "Pacific/Honolulu",
  "Etc/GMT+12",
  "Pacific/Chatham",
  "Asia/Kathmandu",
  "Europe/Zurich",
  "America/New_York",
  "Australia/Lord_Howe",
  "Africa/Cairo",
  "UTC",
];

/** Days on which clocks change in some of these time zones, and one on which none does. */
const DAYS = ["2026-03-08", "2026-03-29", "2026-04-05", "2026-04-24", "2026-10-25", "2026-11-01", "2026-07-15"];

/** Every five minutes of a day and a half, and single seconds around each full hour. */
function* momentsOf(day: string): Generator<Date> {
  const start = new Date(`${day}T00:00:00Z`);
  for (let minute = 0; minute < 36 * 60; minute += 5) {
    yield later(start, minute * 60_000);
    if (minute % 60 === 0) yield later(start, minute * 60_000 - 1_000);
  }
}

/** Returns the deadline of a payment that allows an hour. */
const deadlineAt = (now: Date, latest: bigint) => {
  const wanted = seconds(now) + 3_600n;
  return latest < wanted ? latest : wanted;
};

test.each(ZONES)(
  "a payment in %s names a day that the ledger takes, from the newest block up to its deadline",
  (zone) => {
    for (const day of DAYS) {
      for (const chainTime of momentsOf(day)) {
        for (const clock of [-HOUR, 0, HOUR]) {
          const now = later(chainTime, clock);
          const { day: named, latest } = policyDayAt(zone, chainTime, now);
          const deadline = deadlineAt(now, latest);
          // With a clock an hour behind, the deadline would be in the past. Such payments are refused before they are
          // signed.
          if (deadline < seconds(chainTime)) continue;
          expect(acceptsDay(named, seconds(chainTime), deadline), `${zone} ${chainTime.toISOString()} ${clock}`).toBe(
            true,
          );
          expect(deadline - seconds(now)).toBeGreaterThanOrEqual(60n);
        }
      }
    }
  },
);

test.each(ZONES)("invariant 25: two servers whose clocks are an hour apart name one day at midnight in %s", (zone) => {
  for (const day of DAYS) {
    for (const chainTime of momentsOf(day)) {
      const [slow, fast] = [-HOUR / 2, HOUR / 2].map(
        (clock) => policyDayAt(zone, chainTime, later(chainTime, clock)).day,
      );
      // Except in the last minutes of the day in the time zone where it ends last: the next day is named slightly
      // early.
      if (zone !== "Etc/GMT+12") expect([slow, fast]).toEqual(Array(2).fill(BigInt(calendarDay(zone, chainTime))));
    }
  }
});

test("whichever days servers name, in whatever order, what was spent on a day never counts less", () => {
  const spend = (window: { spent: bigint; day: bigint }, day: bigint) =>
    windowAfter(window, { mode: SPEND_MODE.agent, day }, 10n);
  const midnight = new Date("2026-07-15T22:00:00Z"); // in Zurich
  const before = policyDayAt("Europe/Zurich", later(midnight, -1_000), midnight).day;
  const after = policyDayAt("Europe/Zurich", midnight, midnight).day;
  expect(after).toBe(before + 1n);
  const first = spend({ spent: 50n, day: before }, before);
  expect(first).toEqual({ spent: 60n, day: before });
  const second = spend(first, after);
  expect(second).toEqual({ spent: 10n, day: after });
  // A server whose newest block is from before midnight continues to count under the later day.
  expect(spend(second, before)).toEqual({ spent: 20n, day: after });
});
