import { filtersNote } from "@/components/api/browser/account-notes";
import { note, noted } from "@/components/api/browser/notes";
import type { Filters } from "./filter-field";
import { hrefOf } from "./search-params";

/** What a list was narrowed to, under a name. */
interface SavedFilters {
  name: string;
  filters: Filters;
}

/** The oldest go when there are more. */
export const MOST = 20;

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === "object" && value !== null && Object.values(value).every((text) => typeof text === "string");

function isSaved(value: unknown): value is SavedFilters {
  const { name, filters } = (value ?? {}) as Partial<SavedFilters>;
  return typeof name === "string" && name !== "" && isTexts(filters);
}

/**
 * What this browser has saved for a list of an account, newest first. It stays in this browser: the service need not
 * know what someone looks for.
 *
 * @param owner the account's address
 * @param path of the list's page
 */
export function savedFilters(owner: string, path: string): SavedFilters[] {
  try {
    const saved: unknown = JSON.parse(noted("localStorage", filtersNote(owner, path)) ?? "[]");
    return Array.isArray(saved) ? saved.filter(isSaved) : [];
  } catch {
    // Of another release, or broken off.
    return [];
  }
}

function store(owner: string, path: string, saved: SavedFilters[]): SavedFilters[] {
  note("localStorage", filtersNote(owner, path), saved.length > 0 ? JSON.stringify(saved) : null);
  // Read again: a browser may store nothing.
  return savedFilters(owner, path);
}

/** Saves filters, in place of those of the same name. Returns what is saved now. */
export function saveFilters(owner: string, path: string, { name, filters }: SavedFilters): SavedFilters[] {
  const others = savedFilters(owner, path).filter((one) => one.name !== name);
  return store(owner, path, [{ name, filters }, ...others].slice(0, MOST));
}

/** Forgets those of a name. Returns what is saved now. */
export function forgetFilters(owner: string, path: string, name: string): SavedFilters[] {
  return store(
    owner,
    path,
    savedFilters(owner, path).filter((one) => one.name !== name),
  );
}

/** Whether two narrow a list to the same. */
export function areSame(one: Filters, other: Filters): boolean {
  const sorted = (filters: Filters) => new URLSearchParams(hrefOf("", filters).slice(1));
  const [a, b] = [sorted(one), sorted(other)];
  a.sort();
  b.sort();
  return a.toString() === b.toString();
}
