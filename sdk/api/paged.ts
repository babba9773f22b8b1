import { HalcyonError } from "./errors";

/** The paging fields of every page of a list. */
export interface PageInfo {
  limit: number;
  offset: number;
  has_more: boolean;
}

/** Selects the part of a list to read. */
export interface PageInput {
  /** Entries per page, 1 to 100. Default: 20. */
  limit?: number | undefined;
  /** Entries to skip. Not with `startingAfter`. */
  offset?: number | undefined;
  /** The id of an entry. The list continues after that entry. */
  startingAfter?: string | undefined;
}

/** Selects a part of a list that by default is returned as a whole. */
export type OptionalPageInput = Pick<PageInput, "limit" | "startingAfter">;

/** The fields of {@link PageInput}. */
export const PAGE = { limit: "count", offset: "count", startingAfter: "text" } as const;
/** The fields of {@link OptionalPageInput}. */
export const OPTIONAL_PAGE = { limit: "count", startingAfter: "text" } as const;

/**
 * A list. Await it to get its first page, or iterate it to get every entry of all pages.
 *
 * @example
 * const { transfers } = await halcyon.transfers.list({ limit: 5 });
 * for await (const transfer of halcyon.transfers.list()) console.log(transfer.to);
 */
export interface Paged<Page, Entry> extends Promise<Page>, AsyncIterable<Entry> {}

/** How many recent entries are remembered to detect repeated pages. */
const REMEMBERED = 10_000;

/** How to read one kind of list. */
export interface ListOf<Input, Page extends Pick<PageInfo, "has_more">, Entry> {
  /** Reads one page. */
  read(input: Input): Promise<Page>;
  entries(page: Page): readonly Entry[];
  /** Returns the id of an entry for `startingAfter`: the next page begins after the last entry. */
  id(entry: Entry): string;
  /** Returns the input for the next page, if its start is not `startingAfter`. */
  next?(input: Input, last: string): Input;
}

/** Creates a paged list and reads its first page at once. */
export function paged<Input extends PageInput, Page extends Pick<PageInfo, "has_more">, Entry>(
  list: ListOf<Input, Page, Entry>,
  input: Input,
): Paged<Page, Entry> {
  const next = list.next ?? ((now, startingAfter) => ({ ...now, offset: undefined, startingAfter }));
  const first = list.read(input);
  async function* all(): AsyncGenerator<Entry> {
    const seen = new Set<string>();
    let from = input;
    for (let page = await first; ; page = await list.read(from)) {
      let last: string | undefined;
      for (const entry of list.entries(page)) {
        const id = list.id(entry);
        if (seen.has(id)) continue;
        seen.add(id);
        last = id;
        yield entry;
      }
      if (!page.has_more) return;
      // Prevents an endless loop with a service that ignores the cursor and keeps sending the first page.
      if (last === undefined) throw new HalcyonError("unavailable", "The service sent the same page twice.");
      forgetOldest(seen);
      from = next(from, last);
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: all });
}

/** Drops the oldest ids: a Set iterates in insertion order. */
function forgetOldest(seen: Set<string>): void {
  for (const id of seen) {
    if (seen.size <= REMEMBERED) return;
    seen.delete(id);
  }
}
