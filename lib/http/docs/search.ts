import type MiniSearch from "minisearch";
import type { Query, SearchOptions, SearchResult } from "minisearch";
import type { SearchEntry } from "./search-options";
import { STOP_WORDS, SYNONYMS } from "./search-words";

/** A search result. */
export type FoundPage = Pick<SearchEntry, "href" | "title" | "section" | "text"> & {
  /** Words of the result that matched the query, in lower case, for highlighting. */
  terms: string[];
};

/** With no more results than this for all words, results for any of the words follow. */
const FEW = 5;

/**
 * Returns what a query finds, best first: places with all of its words or their synonyms, then, if those are few,
 * places with any of them. Filler words are ignored unless there are no others.
 */
export function searchDocs(index: MiniSearch<SearchEntry>, query: string, limit = 12): FoundPage[] {
  const units = unitsOf(query);
  if (units.length === 0) return [];
  const queries = units.map(alternatives);
  const all = index.search({ combineWith: "AND", queries }, RANKING);
  if (all.length >= FEW) return all.slice(0, limit).map(foundOf);
  const seen = new Set(all.map(({ id }) => id));
  const words = units.flatMap((unit) => unit.split(" "));
  const any = index.search({ combineWith: "OR", queries: words }, RANKING).filter(({ id }) => !seen.has(id));
  return [...all, ...any].slice(0, limit).map(foundOf);
}

/** The weight of some pages. The specification and the session API contain every word, but few people look for them. */
const WEIGHTS: Record<string, number> = {
  "/docs/protocol": 0.4,
  "/docs/session-api": 0.3,
  "/docs/ceremony": 0.5,
  "/docs/changelog": 0.5,
  "/docs/glossary": 0.7,
  "/docs/backups": 0.7,
};

const RANKING: SearchOptions = {
  boostDocument: (href: string) => {
    const [page = "", anchor] = href.split("#");
    return (WEIGHTS[page] ?? 1) * (anchor ? 1 : 1.4);
  },
};

/** Splits a query into words and phrases, without filler words. Each unit has one meaning. */
function unitsOf(query: string): string[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}_.]+/u)
    .filter(Boolean);
  const units: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const pair = `${words[at]} ${words[at + 1]}`;
    if (Object.hasOwn(SYNONYMS, pair)) {
      units.push(pair);
      at += 1;
    } else units.push(words[at] ?? "");
  }
  const meant = units.filter((unit) => !STOP_WORDS.has(unit));
  return meant.length > 0 ? meant : units;
}

/** Matches a unit or any of its synonyms, which count as much. */
function alternatives(unit: string): Query {
  const synonyms = Object.hasOwn(SYNONYMS, unit) ? (SYNONYMS[unit] ?? []) : [];
  const itself = { combineWith: "AND", queries: [unit] };
  return {
    combineWith: "OR",
    queries: [
      itself,
      ...synonyms.map((phrase) => ({ combineWith: "AND", queries: [phrase], prefix: false, fuzzy: false })),
    ],
  } as Query;
}

function foundOf({ href, title, section, text, terms }: SearchResult): FoundPage {
  return { href, title, section, text, terms };
}
