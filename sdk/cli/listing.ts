import { type Command, Option } from "commander";
import { type CsvField, csvRecord } from "@/lib/base/csv/csv-record";
import { HalcyonError } from "../api/errors";
import type { Paged, PageInfo } from "../api/paged";
import { integer } from "./option-values";
import type { Cell } from "./output";
import { TextTable } from "./output";

/** Selects the part of a list to read. */
export interface PageOptions {
  limit?: number;
  offset?: number;
  startingAfter?: string;
}

/** How to print a list: each entry as a row of a table, or as a CSV record. */
export interface Listing<Entry> {
  /** The field of the document that holds the entries. */
  name: string;
  headings: string[];
  row(entry: Entry): Cell[];
  /** The text shown for an empty list. */
  none: string;
  /** What an entry contains that nothing but the service says, to be named after the table. */
  unverified?(entry: Entry): readonly string[];
  columns: readonly string[];
  record(entry: Entry): readonly CsvField[];
}

/** The options of a list command. */
export interface ListOptions extends PageOptions {
  all?: boolean;
  csv?: boolean;
  json?: boolean;
  field?: string;
}

/** The most entries that one request returns. */
const PAGE = 100;

/** Adds the options that every list has. */
export function listOptions(command: Command): Command {
  return command
    .option("--limit <number>", "how many, up to 100", integer, 20)
    .option("--offset <number>", "how many to skip", integer)
    .addOption(new Option("--starting-after <id>", "what follows this entry in the list").conflicts("offset"))
    .addOption(new Option("--all", "every page, each printed as it is read").conflicts(["limit", "offset"]))
    .option("--csv", "print CSV (RFC 4180); --json then shapes errors alone");
}

/** Adds the options of a short list, which is shown as a whole unless they select a page. */
export function pageOptions(command: Command): Command {
  return command
    .option("--limit <number>", "how many, up to 100 (default: all)", integer)
    .option("--starting-after <id>", "what follows this entry in the list");
}

/** Returns the note after a table that is not the whole list. */
export const moreOf = ({ has_more }: { has_more: boolean }) =>
  has_more ? "\n\nThere are more: see --starting-after." : "";

/**
 * Returns the part of a list to read first.
 *
 * @throws HalcyonError `invalid_request` for `--field` with output that is not one JSON document
 */
export function firstPage({ all, csv, field, limit, offset, startingAfter }: ListOptions): PageOptions {
  if (field !== undefined && (csv || all)) {
    throw new HalcyonError("invalid_request", `${csv ? "--csv" : "--all"} cannot be used with --field.`);
  }
  return all ? { limit: PAGE, startingAfter } : { limit, offset, startingAfter };
}

/** The most that a note names. */
const NAMED = 4;

/** Returns the note after a table that names what only the service says. */
function unverifiedNote<Entry>({ unverified }: Listing<Entry>, entries: readonly Entry[], before: Set<string>): string {
  const found = [...new Set(entries.flatMap((entry) => unverified?.(entry) ?? []))].filter((one) => !before.has(one));
  for (const one of found) before.add(one);
  if (found.length === 0) return "";
  const rest = found.length > NAMED ? `, and ${found.length - NAMED} more (see --json)` : "";
  return `\n\nOnly the service says whose these addresses are: ${found.slice(0, NAMED).join(", ")}${rest}.`;
}

/** Formats one page as text. */
export function pageText<Entry>(page: PageInfo, listing: Listing<Entry>, csv = false): string {
  const entries = (page as unknown as Record<string, readonly Entry[]>)[listing.name] ?? [];
  if (csv) return [listing.columns, ...entries.map(listing.record)].map(csvRecord).join("");
  const lines = new TextTable(listing.headings).lines(entries.map(listing.row));
  const more = page.has_more ? "\n\nThere are more: see --all and --starting-after." : "";
  return `${entries.length === 0 ? listing.none : lines}${unverifiedNote(listing, entries, new Set())}${more}\n`;
}

/**
 * Yields the whole list in parts while it is being read, so memory doesn't grow with it. JSON output is one document,
 * which stays incomplete if an error ends it.
 */
export async function* everything<Page extends PageInfo, Entry>(
  list: Paged<Page, Entry>,
  listing: Listing<Entry>,
  { csv, json }: ListOptions,
): AsyncGenerator<string> {
  const table = new TextTable(listing.headings);
  let some: Entry[] = [];
  let first = true;
  const named = new Set<string>();
  const part = () => {
    if (csv) return [...(first ? [listing.columns] : []), ...some.map(listing.record)].map(csvRecord).join("");
    if (!json && some.length === 0) return first ? `${listing.none}\n` : "";
    if (!json) return `${table.lines(some.map(listing.row))}${unverifiedNote(listing, some, named)}\n`;
    const entries = some.map((entry) => JSON.stringify(entry)).join(",");
    return first ? `{${JSON.stringify(listing.name)}:[${entries}` : entries && `,${entries}`;
  };
  for await (const entry of list) {
    some.push(entry);
    if (some.length < PAGE) continue;
    yield part();
    first = false;
    some = [];
  }
  yield part();
  if (json) yield "]}\n";
}
