import type MiniSearch from "minisearch";
import type { Query, SearchOptions, SearchResult } from "minisearch";
import type { SearchEntry } from "./search-options";
import { STOP_WORDS, SYNONYMS } from "./search-words";

/** A place that was found. */
export type Found = Pick<SearchEntry, "href" | "title" | "section" | "text"> & {
  /** Words of the place that the query meant, in lower case: what to highlight. */
  terms: string[];
};

/** As few results of all words as this, and results of any word follow them. */
const FEW = 5;

/**
 * What a query finds, best first: places with all of its words or what they stand for, then, if those are few, places
 * with any of them. Filler words don't count, unless there are no others.
 */
export function search(index: MiniSearch<SearchEntry>, query: string, limit = 12): Found[] {
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

/** How much a page counts: the specification and the session API are for few, and have every word. */
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

/** A query in words and phrases that mean one thing each, without filler words. */
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

/** The unit itself, or anything it stands for, which counts as much. */
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

function foundOf({ href, title, section, text, terms }: SearchResult): Found {
  return { href, title, section, text, terms };
}
