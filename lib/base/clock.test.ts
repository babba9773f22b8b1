import { expect, test } from "vitest";
import { clocksOf, isoTime } from "./clock";

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

test("a refused time that may come from another clock is named beside ours; one that can't, such as of milliseconds, is not", () => {
  const now = new Date("2026-11-29T12:00:00Z");
  const said =
    " You sent 2026-11-29T10:00:00.000Z, and by the service's clock it is 2026-11-29T12:00:00.000Z: compare your clock.";
  expect(clocksOf(new Date("2026-11-29T10:00:00Z"), now)).toBe(said);
  for (const at of ["2026-11-27T12:00:01Z", "2026-12-01T11:59:59Z"])
    expect(clocksOf(new Date(at), now)).toContain(at.slice(0, 19));
  for (const at of [0, now.getTime() * 1000, Number.NaN, 8.65e15]) expect(clocksOf(new Date(at), now)).toBe("");
});
