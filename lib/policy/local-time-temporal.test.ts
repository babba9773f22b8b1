import { Temporal } from "temporal-polyfill";
import { expect, it } from "vitest";
import { localDay, localTime } from "./local-time";

/** Time zones with unusual rules, and every fortieth of the platform's zones. */
const ZONES = [
  "UTC",
  "Europe/Zurich",
  "America/New_York",
  "America/St_Johns",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Antarctica/Troll",
  "Asia/Kathmandu",
  "Asia/Gaza",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Pacific/Kiritimati",
  ...Intl.supportedValuesOf("timeZone").filter((_, index) => index % 40 === 0),
];

/**
 * Instants from 2020 on, every 61 days and 7 h 53 min, and both sides of each change of the zone's offset in 2026 and
 * 2027.
 */
function instantsOf(timeZone: string): Temporal.Instant[] {
  const start = Temporal.Instant.from("2020-01-01T00:00:00Z");
  const spread = Array.from({ length: 40 }, (_, index) =>
    start.add({ hours: index * 1_464 + index * 7, minutes: index * 53 }),
  );
  const changes: Temporal.Instant[] = [];
  let at = Temporal.Instant.from("2026-01-01T00:00:00Z").toZonedDateTimeISO(timeZone);
  for (let change = at.getTimeZoneTransition("next"); change && change.year < 2028 && changes.length < 24; ) {
    changes.push(
      change.toInstant().subtract({ milliseconds: 1 }),
      change.toInstant(),
      change.toInstant().add({ hours: 5 }),
    );
    at = change;
    change = at.getTimeZoneTransition("next");
  }
  return [...spread, ...changes];
}

it.each(ZONES)("in %s, dates, times and days are those of Temporal", (timeZone) => {
  for (const instant of instantsOf(timeZone)) {
    const at = new Date(instant.epochMilliseconds);
    const there = instant.toZonedDateTimeISO(timeZone);
    const start = there.startOfDay();
    const end = start.toPlainDate().add({ days: 1 }).toZonedDateTime(timeZone);
    expect({ ...localTime(timeZone, at), ...localDay(timeZone, at) }, `${timeZone} ${instant}`).toEqual({
      date: (there.year * 100 + there.month) * 100 + there.day,
      minute: there.hour * 60 + there.minute,
      start: new Date(start.epochMilliseconds),
      end: new Date(end.epochMilliseconds),
    });
  }
});
