import { type Command, Option } from "commander";
import { type CsvField, csvRecord } from "@/lib/csv/csv-record";
import { HalcyonError } from "../api/errors";
import type { Paged, PageInfo } from "../api/paged";
import { integer } from "./option-values";
import type { Cell } from "./output";
import { Table } from "./output";

/** Which part of a list is read. */
export interface PageOptions {
  limit?: number;
  offset?: number;
  startingAfter?: string;
}

/** How a list is printed: an entry as a line of a table, and as a record of a CSV. */
export interface Listing<Entry> {
  /** The field of the document that holds the entries. */
  name: string;
  headings: string[];
  row(entry: Entry): Cell[];
  /** What is said of an empty list. */
  none: string;
  columns: readonly string[];
  record(entry: Entry): readonly CsvField[];
}

/** What a person asks of a list. */
export interface ListOptions extends PageOptions {
  all?: boolean;
  csv?: boolean;
  json?: boolean;
  field?: string;
}

/** The most that one request returns. */
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

/** Adds the options of a list that is short, and whole unless a page is asked for. */
export function pageOptions(command: Command): Command {
  return command
    .option("--limit <number>", "how many, up to 100 (default: all)", integer)
    .option("--starting-after <id>", "what follows this entry in the list");
}

/** What follows a table that is not the whole list. */
export const moreOf = ({ has_more }: { has_more: boolean }) =>
  has_more ? "\n\nThere are more: see --starting-after." : "";

/**
 * The part of a list that is read first.
 *
 * @throws HalcyonError `invalid_request` for one field of what is no document
 */
export function firstPage({ all, csv, field, limit, offset, startingAfter }: ListOptions): PageOptions {
  if (field !== undefined && (csv || all)) {
    throw new HalcyonError("invalid_request", `${csv ? "--csv" : "--all"} cannot be used with --field.`);
  }
  return all ? { limit: PAGE, startingAfter } : { limit, offset, startingAfter };
}

/** One page as text. */
export function pageText<Entry>(page: PageInfo, listing: Listing<Entry>, csv = false): string {
  const entries = (page as unknown as Record<string, readonly Entry[]>)[listing.name] ?? [];
  if (csv) return [listing.columns, ...entries.map(listing.record)].map(csvRecord).join("");
  const lines = new Table(listing.headings).lines(entries.map(listing.row));
  const more = page.has_more ? "\n\nThere are more: see --all and --starting-after." : "";
  return `${entries.length === 0 ? listing.none : lines}${more}\n`;
}

/**
 * Everything, in parts that are made as the list is read: memory does not grow with it. As JSON it is one document, which is
 * incomplete when an error ends it.
 */
export async function* everything<Page extends PageInfo, Entry>(
  list: Paged<Page, Entry>,
  listing: Listing<Entry>,
  { csv, json }: ListOptions,
): AsyncGenerator<string> {
  const table = new Table(listing.headings);
  let some: Entry[] = [];
  let first = true;
  const part = () => {
    if (csv) return [...(first ? [listing.columns] : []), ...some.map(listing.record)].map(csvRecord).join("");
    if (!json) return some.length > 0 ? `${table.lines(some.map(listing.row))}\n` : first ? `${listing.none}\n` : "";
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
