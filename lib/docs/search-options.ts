import type { Options } from "minisearch";

/** A place of the documentation that search finds. */
export interface SearchEntry {
  /** Its address with anchor; the key. */
  href: string;
  title: string;
  /** The page, or the part of the documentation, it stands in. */
  section: string;
  text: string;
}

/** How the index is built on the server and read in the browser: both must say the same. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  idField: "href",
  fields: ["title", "section", "text"],
  storeFields: ["href", "title", "section", "text"],
  searchOptions: {
    boost: { title: 4, section: 1.5 },
    // Of short words every other word is the beginning, or nearly the same.
    prefix: (word) => word.length >= 4,
    fuzzy: (word) => (word.length >= 5 ? 0.2 : false),
    combineWith: "AND",
  },
};
