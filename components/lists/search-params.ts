/*
 * Filters of a list in its page's address. They work with and without JavaScript. Invalid ones are ignored instead of
 * refused.
 */

export type SearchParams = Record<string, string | string[] | undefined>;

/** The props of a list page. */
export interface ListPageProps {
  params: Promise<{ network: string }>;
  searchParams: Promise<SearchParams>;
}

/** Returns a parameter's text; undefined if it is empty or occurs more than once. */
export function textOf(params: SearchParams, name: string): string | undefined {
  const value = params[name];
  return (typeof value === "string" ? value.trim() : undefined) || undefined;
}

/** Returns the value that a text names, if any. */
export function oneOf<T extends string>(values: readonly T[], text: string | undefined): T | undefined {
  return values.find((value) => value === text);
}

/** Returns the day (`2026-11-21`) if it exists. `Date` would read February 31 as a day in March. */
export function dayParameter(text: string | undefined): string | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined;
}

/** Returns how many entries to skip. */
export function offsetOf(params: SearchParams, name = "offset"): number {
  const offset = params[name];
  return typeof offset === "string" && /^[1-9][0-9]{0,8}$/.test(offset) ? Number(offset) : 0;
}

/** Returns only the fields that are set, in the given order. */
export function present<T extends object>(filters: T): T {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as T;
}

/** Returns the address of a list's first page with these filters. */
export function hrefOf(path: string, filters: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value) search.set(name, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}
