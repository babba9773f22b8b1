import { HalcyonError } from "./errors";

/** What every page of a list says of itself. */
export interface PageInfo {
  limit: number;
  offset: number;
  has_more: boolean;
}

/** Which part of a list is read. */
export interface PageInput {
  /** Entries per page, 1 to 100; 20 when left out. */
  limit?: number | undefined;
  /** Entries to skip. Not with `startingAfter`. */
  offset?: number | undefined;
  /** The id of an entry: what follows it in the list. */
  startingAfter?: string | undefined;
}

/** Which part of a list is read that is returned whole otherwise. */
export type OptionalPageInput = Pick<PageInput, "limit" | "startingAfter">;

/** The fields of {@link PageInput}. */
export const PAGE = { limit: "count", offset: "count", startingAfter: "text" } as const;
/** The fields of {@link OptionalPageInput}. */
export const OPTIONAL_PAGE = { limit: "count", startingAfter: "text" } as const;

/**
 * A list: awaited it is its first page, iterated every entry of all pages.
 *
 * @example
 * const { transfers } = await halcyon.transfers.list({ limit: 5 });
 * for await (const transfer of halcyon.transfers.list()) console.log(transfer.to);
 */
export interface Paged<Page, Entry> extends Promise<Page>, AsyncIterable<Entry> {}

/** How many entries back a page that repeats is noticed. */
const REMEMBERED = 10_000;

/** How a kind of list is read. */
export interface ListOf<Input, Page extends Pick<PageInfo, "has_more">, Entry> {
  /** Reads one page. */
  read(input: Input): Promise<Page>;
  entries(page: Page): readonly Entry[];
  /** Identifies an entry, as `startingAfter` names it: the next page begins after the last one. */
  id(entry: Entry): string;
  /** What reads the page after, where another field names its start. */
  next?(input: Input, last: string): Input;
}

/** A list of pages, the first of which is read at once. */
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
      // Without this, a service that ignores the cursor would have the first page read for ever.
      if (last === undefined) throw new HalcyonError("unavailable", "The service sent the same page twice.");
      forgetOldest(seen);
      from = next(from, last);
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: all });
}

/** A set keeps the order in which its values came. */
function forgetOldest(seen: Set<string>): void {
  for (const id of seen) {
    if (seen.size <= REMEMBERED) return;
    seen.delete(id);
  }
}
