import fc from "fast-check";
import { describe, expect, it, test, vi } from "vitest";
import { localDay, localTime, normaliseTimeZone, ownTimeZone, QUARTER_MS } from "@/lib/policy/local-time";
import { periodOf } from "@/sdk/statements/statement-input";
import { instant, zone } from "@/test/ledger/policy-arbitraries";

const HOUR = 3_600_000;

describe("a time zone", () => {
  it.each([
    ["UTC", "UTC"],
    ["europe/zurich", "Europe/Zurich"],
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
    ["Etc/GMT+5", "Etc/GMT+5"],
    ["cet", "CET"],
    ["EST5EDT", "EST5EDT"],
    ["GB", "GB"],
    ["Japan", "Japan"],
  ])("%s is stored as %s", (text, stored) => expect(normaliseTimeZone(text)).toBe(stored));

  it.each([
    "",
    "Mars/Olympus",
    "Europe/Zürich",
    "PST",
    "ACT",
    "SystemV/PST8",
    "+01:00",
    "UTC+1",
    "GMT+5",
    "posix/UTC",
    "local",
    " UTC",
    "Europe/Zurich\n",
    "Europe/".padEnd(300, "x"),
  ])("%j is none", (text) => expect(normaliseTimeZone(text)).toBeNull());
});

test.each(["", "Foo/Bar", "Etc/Unknown"])(
  "a machine whose TZ is %j has the clock of UTC, one with a zone its own",
  (wrong) => {
    vi.stubEnv("TZ", wrong);
    expect(ownTimeZone()).toBe("UTC");
    expect(periodOf({ from: "2026-11-01", to: "2026-11-30" }).timeZone).toBe("UTC");
    vi.stubEnv("TZ", "Asia/Tokyo");
    expect(ownTimeZone()).toBe("Asia/Tokyo");
    vi.unstubAllEnvs();
  },
);

describe("dayOf", () => {
  it.each([
    ["UTC", "2026-11-21T05:00:00Z", "2026-11-21T00:00:00Z", 24],
    ["Europe/Zurich", "2026-03-29T12:00:00Z", "2026-03-28T23:00:00Z", 23],
    ["Europe/Zurich", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z", 25],
    ["Australia/Lord_Howe", "2026-04-05T00:00:00Z", "2026-04-04T13:00:00Z", 24.5],
    ["Antarctica/Troll", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z", 26],
    ["Africa/Cairo", "2026-04-24T10:00:00Z", "2026-04-23T22:00:00Z", 23],
    ["Africa/Cairo", "2026-10-29T21:30:00Z", "2026-10-28T21:00:00Z", 25],
    ["Asia/Kathmandu", "2026-11-21T18:15:00Z", "2026-11-21T18:15:00Z", 24],
    ["Asia/Kathmandu", "2026-11-21T18:14:59.999Z", "2026-11-20T18:15:00Z", 24],
    ["Pacific/Kiritimati", "2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z", 24],
  ])("in %s at %s began at %s and has %d hours", (timeZone, at, start, hours) => {
    const day = localDay(timeZone, new Date(at));
    expect(day.start.toISOString()).toBe(new Date(start).toISOString());
    expect((day.end.getTime() - day.start.getTime()) / HOUR).toBe(hours);
  });

  it("holds the moment, and all of its date and nothing else", () => {
    fc.assert(
      fc.property(zone, instant, (timeZone, at) => {
        const { start, end } = localDay(timeZone, at);
        expect(start.getTime()).toBeLessThanOrEqual(at.getTime());
        expect(end.getTime()).toBeGreaterThan(at.getTime());
        const dateAt = (time: number) => localTime(timeZone, new Date(time)).date;
        const date = dateAt(at.getTime());
        expect([start.getTime(), end.getTime() - 1].map(dateAt)).toEqual([date, date]);
        expect(dateAt(start.getTime() - 1)).toBeLessThan(date);
        expect(dateAt(end.getTime())).toBeGreaterThan(date);
      }),
    );
  });
});

describe("no midnight falls inside a quarter of an hour", () => {
  it("every zone's offset is a multiple of 15 minutes in 2026 to 2028, and changes only between two quarters", () => {
    const [from, to] = [Date.parse("2026-01-01T00:00:00Z"), Date.parse("2029-01-01T00:00:00Z")];
    const zones = [...Intl.supportedValuesOf("timeZone"), "UTC"];
    expect(zones.length).toBeGreaterThan(400);
    let changes = 0;
    for (const timeZone of zones) {
      const offset = offsetOf(timeZone);
      let before = offset(from);
      expect(Math.abs(before) % 15).toBe(0);
      // Two changes of one zone are weeks apart.
      for (let time = from; time < to; time += 5 * 24 * HOUR) {
        const next = offset(time + 5 * 24 * HOUR);
        if (next === before) continue;
        changes++;
        expect(Math.abs(next) % 15).toBe(0);
        let [low, high] = [time, time + 5 * 24 * HOUR];
        while (high - low > 1) {
          const middle = Math.floor((low + high) / 2);
          if (offset(middle) === before) low = middle;
          else high = middle;
        }
        expect(high % QUARTER_MS, `${timeZone} ${new Date(high).toISOString()}`).toBe(0);
        before = next;
      }
    }
    expect(changes).toBeGreaterThan(500);
  });
});

/**
 * Returns the offset from UTC in minutes by Intl's zone names ("GMT+05:45"), a different method than the code under
 * test.
 */
function offsetOf(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  return (time) => {
    const name = format.format(time).split("GMT")[1] ?? "";
    if (name === "") return 0;
    const match = /^([+-])(\d\d):(\d\d)$/.exec(name);
    if (!match) throw new Error(`an offset of another form: ${name}`);
    return (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
  };
}
