/*
 * Filters of a list as its page's address says them: readable with and without JavaScript, and what means nothing there
 * is left out instead of refused.
 */

export type SearchParams = Record<string, string | string[] | undefined>;

/** What the page of a list is given. */
export interface ListPageProps {
  params: Promise<{ network: string }>;
  searchParams: Promise<SearchParams>;
}

const DAY_MS = 24 * 3_600_000;

/** A parameter's text; undefined when it is empty or given several times. */
export function textOf(params: SearchParams, name: string): string | undefined {
  const value = params[name];
  return (typeof value === "string" ? value.trim() : undefined) || undefined;
}

/** The value a text names, if any. */
export function oneOf<T extends string>(values: readonly T[], text: string | undefined): T | undefined {
  return values.find((value) => value === text);
}

/** A day that exists (`2026-11-21`); `Date` would read 31 February as one of March. */
export function dayOf(text: string | undefined): string | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined;
}

/** Entries to skip. */
export function offsetOf(params: SearchParams, name = "offset"): number {
  const offset = params[name];
  return typeof offset === "string" && /^[1-9][0-9]{0,8}$/.test(offset) ? Number(offset) : 0;
}

/** Days in UTC, both included, as the bounds the API takes: moments, and strict. */
export function momentsOf({ from, to }: { from?: string; to?: string }): { from?: string; to?: string } {
  const moment = (time: number) => new Date(time).toISOString();
  return {
    from: from && moment(Date.parse(from) - 1),
    to: to && moment(Date.parse(to) + DAY_MS),
  };
}

/** What is set, in the order given. */
export function present<T extends object>(filters: T): T {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as T;
}

/** The address of a list with these filters, at its first page. */
export function hrefOf(path: string, filters: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value) search.set(name, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}
