import type { Options } from "minisearch";

/** A place of the documentation that search finds. */
export interface SearchEntry {
  /** Its address with anchor; the key. */
  href: string;
  title: string;
  /** The page, or the part of the documentation, it stands in. */
  section: string;
  text: string;
  /** The first words of `text`, shown below the title. */
  excerpt: string;
}

/** How the index is built on the server and read in the browser: both must say the same. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  idField: "href",
  fields: ["title", "section", "text"],
  storeFields: ["href", "title", "section", "excerpt"],
  searchOptions: { boost: { title: 4, section: 1.5 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
};
