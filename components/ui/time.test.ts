import { expect, test, vi } from "vitest";
import { exactTime, writtenInUtc, writtenTime, zoneOfReader } from "./time";
import { onTimes, showTimesInUtc, timesInUtc } from "./times-in-utc";

const now = new Date("2026-11-25T12:00:00Z");
const moment = new Date("2026-11-22T22:45:07Z");

test("a moment is written in the reader's zone and language", () => {
  expect(writtenTime(moment, "minute", "UTC", "en-GB", now)).toBe("22 Nov, 22:45");
  expect(writtenTime(moment, "minute", "Asia/Tokyo", "de-DE", now)).toBe("23. Nov., 07:45");
  expect(writtenTime(moment, "second", "America/New_York", "en-GB", now)).toBe("22 Nov, 17:45:07");
  expect(writtenTime(moment, "day", "Asia/Tokyo", "en-GB", now)).toBe("23 Nov");
  expect(writtenTime(moment, "weekday", "Asia/Tokyo", "en-GB", now)).toBe("Monday 23 Nov");
  expect(writtenTime(moment, "clock", "Asia/Tokyo", "en-GB", now)).toBe("07:45");
  expect(writtenTime(moment, "date", "Asia/Tokyo", "en-GB", now)).toBe("Mon 23 Nov, 07:45");
});

test("an hour has no zero before it where the day has two halves", () => {
  expect(writtenTime(moment, "clock", "America/New_York", "en-US", now)).toMatch(/^5:45\sPM$/);
  expect(writtenTime(moment, "date", "America/New_York", "en-US", now)).toMatch(/^Sun, Nov 22, 5:45\sPM$/);
  expect(writtenTime(moment, "clock", "Asia/Tokyo", "de-DE", now)).toBe("07:45");
});

test.each(["", "Foo/Bar"])("times are in UTC where TZ is %j, which names no zone", (wrong) => {
  vi.stubEnv("TZ", wrong);
  expect(writtenTime(moment, "minute", zoneOfReader(), "en-GB", now)).toBe("22 Nov, 22:45");
  vi.stubEnv("TZ", "Asia/Tokyo");
  expect(zoneOfReader()).toBe("Asia/Tokyo");
  vi.unstubAllEnvs();
});

test("the year stands where it is another one", () => {
  const later = new Date("2027-01-02T00:00:00Z");
  expect(writtenTime(moment, "minute", "UTC", "en-GB", later)).toBe("22 Nov 2026, 22:45");
  expect(writtenTime(moment, "day", "UTC", "en-GB", later)).toBe("22 Nov 2026");
  expect(writtenTime(moment, "clock", "UTC", "en-GB", later)).toBe("22:45");
});

test("the exact moment is in UTC, with year and seconds, in the reader's language", () => {
  expect(exactTime(moment, "en-GB")).toBe("22 Nov 2026, 22:45:07 UTC");
  expect(exactTime(moment, "de-DE")).toBe("22.11.2026, 22:45:07 UTC");
});

test("whether the year is another one is the reader's calendar's question", () => {
  const midnight = new Date("2026-12-31T23:30:00Z");
  // In Tokyo both are of 2027, in Honolulu both are of 2026.
  expect(writtenTime(midnight, "day", "Asia/Tokyo", "en-GB", new Date("2027-01-01T12:00:00Z"))).toBe("1 Jan");
  expect(writtenTime(midnight, "day", "Asia/Tokyo", "en-GB", new Date("2026-12-31T12:00:00Z"))).toBe("1 Jan 2027");
  const early = new Date("2027-01-01T05:00:00Z");
  expect(writtenTime(early, "day", "Pacific/Honolulu", "en-GB", midnight)).toBe("31 Dec");
  expect(writtenTime(early, "day", "UTC", "en-GB", midnight)).toBe("1 Jan 2027");
});

test("shown in UTC, a moment names its zone, and a time of day its day", () => {
  expect(writtenInUtc(moment, "clock", "en-GB", now)).toBe("22 Nov, 22:45 UTC");
  expect(writtenInUtc(moment, "minute", "en-GB", now)).toBe("22 Nov, 22:45 UTC");
  expect(writtenInUtc(moment, "second", "en-GB", now)).toBe("22 Nov, 22:45:07 UTC");
  expect(writtenInUtc(moment, "day", "de-DE", now)).toBe("22. Nov.");
  const heard: boolean[] = [];
  const stop = onTimes(() => heard.push(timesInUtc()));
  for (const inUtc of [true, true, false]) showTimesInUtc(inUtc);
  stop();
  expect(heard).toEqual([true, false]);
});

test("a deadline names its zone", () => {
  expect(writtenTime(moment, "deadline", "UTC", "en-GB", now)).toBe("22 Nov, 22:45 UTC");
  expect(writtenTime(moment, "deadline", "Asia/Tokyo", "en-GB", now)).toBe("23 Nov, 07:45 GMT+9");
});
