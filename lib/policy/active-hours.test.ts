import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isActive, parseActiveHours } from "@/lib/policy/active-hours";
import { activeHours } from "@/test/ledger/policy-arbitraries";

/** Offsets in minutes and when they begin, copied from the IANA database. This check does not depend on Intl. */
const OFFSETS: Record<string, [from: string, minutes: number][]> = {
  UTC: [["2026-01-01T00:00Z", 0]],
  "Asia/Kathmandu": [["2026-01-01T00:00Z", 345]],
  "Europe/Zurich": [
    ["2026-01-01T00:00Z", 60],
    ["2026-03-29T01:00Z", 120],
    ["2026-10-25T01:00Z", 60],
  ],
  "America/New_York": [
    ["2026-01-01T00:00Z", -300],
    ["2026-03-08T07:00Z", -240],
    ["2026-11-01T06:00Z", -300],
  ],
  "Australia/Lord_Howe": [
    ["2026-01-01T00:00Z", 660],
    ["2026-04-04T15:00Z", 630],
    ["2026-10-03T15:30Z", 660],
  ],
  "Africa/Cairo": [
    ["2026-01-01T00:00Z", 120],
    ["2026-04-23T22:00Z", 180],
    ["2026-10-29T21:00Z", 120],
  ],
  "Antarctica/Troll": [
    ["2026-01-01T00:00Z", 0],
    ["2026-03-29T01:00Z", 120],
    ["2026-10-25T01:00Z", 0],
  ],
};

function offsetAt(zone: string, at: number): number {
  return OFFSETS[zone]?.findLast(([from]) => Date.parse(from) <= at)?.[1] ?? Number.NaN;
}

/** Walks the range minute by minute, across midnight, until its end. */
function minutesOf(range: string): Set<number> {
  const [start = 0, end = 0] = range.split("-").map((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));
  const minutes = new Set<number>();
  for (let minute = start; minute !== end % 1440 || minutes.size === 0; minute = (minute + 1) % 1440)
    minutes.add(minute);
  return minutes;
}

describe("active_hours", () => {
  it.each([
    ["00:00-24:00", { start: 0, end: 1440 }],
    ["09:00-18:00", { start: 540, end: 1080 }],
    ["22:00-06:00", { start: 1320, end: 360 }],
    ["18:00-00:00", { start: 1080, end: 0 }],
    ["23:59-24:00", { start: 1439, end: 1440 }],
  ])("reads %s", (text, range) => expect(parseActiveHours(text)).toEqual(range));

  it.each([
    "25:00-26:00",
    "9:00-18:00",
    "09:00",
    "24:00-06:00",
    "09:00-09:00",
    "00:00-00:00",
    "09:60-10:00",
    "09:00-24:01",
    "09:00–18:00",
    "09:00 - 18:00",
    "09:00-18:00\n",
    "09:00-18:00,20:00-21:00",
    "0９:00-18:00",
    "",
  ])("refuses %j", (text) => expect(parseActiveHours(text)).toBeNull());

  it.each([
    ["start is included", "09:00-18:00", "2026-06-01T09:00:00.000Z", true],
    ["just before", "09:00-18:00", "2026-06-01T08:59:59.999Z", false],
    ["last moment", "09:00-18:00", "2026-06-01T17:59:59.999Z", true],
    ["end is not", "09:00-18:00", "2026-06-01T18:00:00.000Z", false],
    ["overnight, before midnight", "22:00-06:00", "2026-06-01T23:00:00Z", true],
    ["overnight, after", "22:00-06:00", "2026-06-01T05:59:59Z", true],
    ["overnight, out", "22:00-06:00", "2026-06-01T06:00:00Z", false],
    ["until midnight", "18:00-24:00", "2026-06-01T00:00:00Z", false],
    ["all day", "00:00-24:00", "2026-06-01T23:59:59.999Z", true],
  ])("%s", (_, hours, at, expected) => expect(isActive(hours, "UTC", new Date(at))).toBe(expected));

  it("an hour the clocks skip holds no one in, one that comes twice is inside twice", () => {
    const active = (at: string) => isActive("02:00-03:00", "Europe/Zurich", new Date(at));
    expect([active("2026-03-29T00:59:59Z"), active("2026-03-29T01:00:00Z")]).toEqual([false, false]);
    expect([active("2026-10-25T00:30:00Z"), active("2026-10-25T01:30:00Z")]).toEqual([true, true]);
    expect([active("2026-10-24T23:59:00Z"), active("2026-10-25T02:00:00Z")]).toEqual([false, false]);
  });

  it.each(Object.keys(OFFSETS))(
    "agrees in %s with walking the range minute by minute, over each change of clocks",
    (zone) => {
      const changes = (OFFSETS[zone] ?? []).map(([from]) => Date.parse(from));
      const at = fc
        .tuple(fc.constantFrom(...changes), fc.integer({ min: -36 * 60, max: 36 * 60 }))
        .map(([change, minutes]) => Math.max(change + minutes * 60_000, Date.parse("2026-01-01T00:00Z")));
      fc.assert(
        fc.property(activeHours, at, (hours, time) => {
          const minute = (Math.floor(time / 60_000) + offsetAt(zone, time) + 1440 * 2) % 1440;
          expect(isActive(hours, zone, new Date(time))).toBe(minutesOf(hours).has(minute));
        }),
        { numRuns: 1000 },
      );
    },
  );
});
