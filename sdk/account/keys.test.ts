import { expect, test } from "vitest";
import { keyExpiry } from "./keys";

const NOW = new Date("2026-11-21T00:00:00.000Z");

test.each([
  ["30d", "2026-12-21T00:00:00.000Z"],
  ["12h", "2026-11-21T12:00:00.000Z"],
  ["45s", "2026-11-21T00:00:45.000Z"],
  ["2w", "2026-12-05T00:00:00.000Z"],
])("a span of %s ends at %s", (span, end) => {
  expect(keyExpiry(span, NOW).toISOString()).toBe(end);
});

test.each(["", "0d", "-1d", "1.5d", "30", "d", "30D", "30 d", "99999999d"])("%j is not a span", (span) => {
  expect(() => keyExpiry(span, NOW)).toThrow(/span/);
});
