import { expect, test } from "vitest";
import { daysOfPreset, type Preset } from "./presets";

test.each<[Preset, string, string, string, string]>([
  ["this-month", "UTC", "2026-11-23T13:00:00Z", "2026-11-01", "2026-11-30"],
  ["this-month", "Pacific/Kiritimati", "2026-11-30T11:00:00Z", "2026-12-01", "2026-12-31"],
  ["last-month", "America/New_York", "2027-01-01T03:00:00Z", "2026-11-01", "2026-11-30"],
  ["last-month", "UTC", "2028-03-31T00:00:00Z", "2028-02-01", "2028-02-29"],
  ["this-quarter", "UTC", "2026-11-23T13:00:00Z", "2026-10-01", "2026-12-31"],
  ["last-quarter", "UTC", "2026-01-05T13:00:00Z", "2025-10-01", "2025-12-31"],
  ["this-year", "UTC", "2026-11-23T13:00:00Z", "2026-01-01", "2026-12-31"],
  ["last-year", "UTC", "2026-11-23T13:00:00Z", "2025-01-01", "2025-12-31"],
])("%s in %s at %s is %s to %s", (preset, zone, now, from, to) => {
  expect(daysOfPreset(preset, zone, new Date(now))).toEqual({ from, to });
});
