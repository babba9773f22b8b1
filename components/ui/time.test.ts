import { expect, test } from "vitest";
import { writtenTime } from "./time";

const now = new Date("2026-11-25T12:00:00Z");
const moment = new Date("2026-11-22T22:45:07Z");

test("a moment is written in the reader's zone and language", () => {
  expect(writtenTime(moment, "minute", "UTC", "en-GB", now)).toBe("22 Nov, 22:45");
  expect(writtenTime(moment, "minute", "Asia/Tokyo", "de-DE", now)).toBe("23. Nov., 07:45");
  expect(writtenTime(moment, "second", "America/New_York", "en-GB", now)).toBe("22 Nov, 17:45:07");
  expect(writtenTime(moment, "day", "Asia/Tokyo", "en-GB", now)).toBe("23 Nov");
  expect(writtenTime(moment, "weekday", "Asia/Tokyo", "en-GB", now)).toBe("Monday 23 Nov");
  expect(writtenTime(moment, "clock", "Asia/Tokyo", "en-GB", now)).toBe("07:45");
});

test("the year stands where it is another one", () => {
  const later = new Date("2027-01-02T00:00:00Z");
  expect(writtenTime(moment, "minute", "UTC", "en-GB", later)).toBe("22 Nov 2026, 22:45");
  expect(writtenTime(moment, "day", "UTC", "en-GB", later)).toBe("22 Nov 2026");
  expect(writtenTime(moment, "clock", "UTC", "en-GB", later)).toBe("22:45");
});
