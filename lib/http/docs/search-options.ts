import type { Options } from "minisearch";

/** A place in the documentation that search can find. */
export interface SearchEntry {
  /** Its address with the anchor. Also the key of the entry. */
  href: string;
  title: string;
  /** The page, or the part of the documentation, that contains it. */
  section: string;
  text: string;
}

/** Options with which the server builds the index and the browser reads it. Both must use the same. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  idField: "href",
  fields: ["title", "section", "text"],
  storeFields: ["href", "title", "section", "text"],
  searchOptions: {
    boost: { title: 4, section: 1.5 },
    // A short word would match too many others as a prefix or with a typo.
    prefix: (word) => word.length >= 4,
    fuzzy: (word) => (word.length >= 5 ? 0.2 : false),
    combineWith: "AND",
  },
};
