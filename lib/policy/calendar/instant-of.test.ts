import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { dayOf } from "./civil-date";
import { instantOf } from "./instant-of";

const at = (zone: string, date: [number, number, number], hour: number, minute = 0) =>
  instantOf(zone, dayOf({ year: date[0], month: date[1], day: date[2] }), hour * 60 + minute).toISOString();

test("a time that clocks skip is the moment after the gap", () => {
  expect(at("Europe/Berlin", [2027, 3, 28], 2, 30)).toBe("2027-03-28T01:00:00.000Z");
  expect(at("America/New_York", [2027, 3, 14], 2, 0)).toBe("2027-03-14T07:00:00.000Z");
  // The clock changes by only half an hour.
  expect(at("Australia/Lord_Howe", [2026, 10, 4], 2, 15)).toBe("2026-10-03T15:30:00.000Z");
  // A whole day is skipped.
  expect(at("Pacific/Apia", [2011, 12, 30], 10)).toBe("2011-12-30T10:00:00.000Z");
});

test("a time that clocks show twice is the first of both", () => {
  expect(at("Europe/Berlin", [2026, 10, 25], 2, 30)).toBe("2026-10-25T00:30:00.000Z");
  expect(at("America/New_York", [2026, 11, 1], 1, 0)).toBe("2026-11-01T05:00:00.000Z");
});

test("midnight that does not exist is the first moment of its day", () => {
  expect(at("Africa/Cairo", [2027, 4, 30], 0, 0)).toBe("2027-04-29T22:00:00.000Z");
});

test("every time of every zone is the instant that Temporal finds", () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  const days = fc.integer({ min: 10_957, max: 30_000 });
  fc.assert(
    fc.property(zones, days, fc.integer({ min: 0, max: 1_439 }), (zone, day, minute) => {
      const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
      const time = Temporal.PlainDateTime.from(date).add({ minutes: minute });
      const found = instantOf(zone, day, minute);
      const shown = Temporal.Instant.fromEpochMilliseconds(found.getTime()).toZonedDateTimeISO(zone);
      const earlier = time.toZonedDateTime(zone, { disambiguation: "earlier" });
      if (shown.toPlainDateTime().equals(time)) return found.getTime() === earlier.epochMilliseconds;
      // In a gap, clocks show an earlier time one minute before, and a later time now.
      const before = shown.subtract({ minutes: 1 }).toPlainDateTime();
      return (
        Temporal.PlainDateTime.compare(before, time) < 0 &&
        Temporal.PlainDateTime.compare(shown.toPlainDateTime(), time) > 0
      );
    }),
    { numRuns: 400 },
  );
});
