import fc from "fast-check";
import { expect, it } from "vitest";
import { calendarDay } from "@/lib/policy/calendar-day";
import { localDay } from "@/lib/policy/local-time";
import { instant, zone } from "@/test/ledger/policy-arbitraries";

it.each([
  ["UTC", "1970-01-01T00:00:00Z", 0],
  ["UTC", "1970-01-01T23:59:59Z", 0],
  ["UTC", "2026-11-22T12:00:00Z", 20_779],
  ["Pacific/Kiritimati", "2026-11-22T10:00:00Z", 20_780],
  ["Etc/GMT+12", "2026-11-22T11:59:59Z", 20_778],
])("in %s at %s it is day %i", (timeZone, at, day) => expect(calendarDay(timeZone, new Date(at))).toBe(day));

it("a calendar day lasts exactly as long as the day by which the service counts", () => {
  fc.assert(
    fc.property(zone, instant, (timeZone, at) => {
      const { start, end } = localDay(timeZone, at);
      const day = calendarDay(timeZone, at);
      expect([calendarDay(timeZone, start), calendarDay(timeZone, new Date(end.getTime() - 1))]).toEqual([day, day]);
      expect(calendarDay(timeZone, end)).toBeGreaterThan(day);
    }),
    { numRuns: 30 },
  );
});
