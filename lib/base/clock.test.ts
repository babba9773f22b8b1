import { expect, test } from "vitest";
import { isoTime } from "./clock";

test("a time is written the same of a Date and of PostgreSQL's text, in whatever zone that is", () => {
  const written = "2026-11-21T02:07:36.120Z";
  for (const time of [
    new Date(written),
    "2026-11-21 02:07:36.12+00",
    "2026-11-21 02:07:36.120+00",
    "2026-11-21 03:07:36.12+01",
    "2026-11-21 07:37:36.12+05:30",
  ]) {
    expect(isoTime(time)).toBe(written);
  }
  expect(isoTime("2026-11-21 02:07:36+00")).toBe("2026-11-21T02:07:36.000Z");
  expect(isoTime("2026-11-21 02:07:36.007+00")).toBe("2026-11-21T02:07:36.007Z");
});
