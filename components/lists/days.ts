import { dayParameter, present, type SearchParams, textOf } from "@/components/lists/search-params";
import { parseDate } from "@/lib/policy/calendar/civil-date";
import { instantOf } from "@/lib/policy/calendar/instant-of";
import { normaliseTimeZone } from "@/lib/policy/local-time";

/** Days that a list is narrowed to, both included. */
export interface DayFilters {
  /** `2026-11-21` */
  from?: string;
  to?: string;
  /** Whose days they are: a name of IANA, UTC when left out. */
  zone?: string;
}

/** The days of a page's address. */
export function readDays(params: SearchParams): DayFilters {
  const days = present({ from: dayParameter(textOf(params, "from")), to: dayParameter(textOf(params, "to")) });
  const zone = normaliseTimeZone(textOf(params, "zone") ?? "") ?? undefined;
  return Object.keys(days).length > 0 && zone !== "UTC" ? present({ ...days, zone }) : days;
}

/** Returns the zone that an address names for its days and this service does not know, so that they are UTC's. */
export function unknownZone(params: Pick<URLSearchParams, "get">, { from, to, zone }: DayFilters): string | null {
  const named = params.get("zone");
  if (!named || zone !== undefined || (!from && !to)) return null;
  return named.toUpperCase() === "UTC" ? null : named;
}

/** The last moment that can be written with a year of four digits, as the API takes it. */
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/** The days as the bounds the API takes: moments, and strict. */
export function momentsOf({ from, to, zone = "UTC" }: DayFilters): { from?: string; to?: string } {
  const start = (text: string, later: number) => instantOf(zone, (parseDate(text) ?? 0) + later, 0).getTime();
  const bound = (moment: number) => new Date(Math.min(moment, LAST)).toISOString();
  return { from: from && bound(start(from, 0) - 1), to: to && bound(start(to, 1)) };
}
