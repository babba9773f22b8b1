import { expect, test } from "vitest";
import { calendarDayIn, dateIn, dateTimeIn } from "./period";

test.each([
  ["UTC", "2026-11-23", "2026-11-23T00:00:00.000Z", 24],
  ["Europe/Zurich", "2026-03-29", "2026-03-28T23:00:00.000Z", 23],
  ["Europe/Zurich", "2026-10-25", "2026-10-24T22:00:00.000Z", 25],
  ["Pacific/Kiritimati", "2026-01-01", "2025-12-31T10:00:00.000Z", 24],
  ["Pacific/Pago_Pago", "2026-01-01", "2026-01-01T11:00:00.000Z", 24],
  ["Asia/Kathmandu", "2024-02-29", "2024-02-28T18:15:00.000Z", 24],
])("a day of %s, %s, begins and ends by its own clocks", (zone, day, start, hours) => {
  const { from, to } = calendarDayIn(zone, day);
  expect([from.toISOString(), (to.getTime() - from.getTime()) / 3_600_000]).toEqual([start, hours]);
  expect([dateIn(zone, from), dateIn(zone, new Date(to.getTime() - 1))]).toEqual([day, day]);
  expect(dateTimeIn(zone, from)).toBe(`${day} 00:00`);
});

test("what is no day is refused, also one that a calendar skips", () => {
  for (const day of ["2026-02-30", "2026-13-01", "today", "2026-1-1"]) {
    expect(() => calendarDayIn("UTC", day)).toThrow(RangeError);
  }
  expect(() => calendarDayIn("Pacific/Apia", "2011-12-30")).toThrow("has no 2011-12-30");
});
