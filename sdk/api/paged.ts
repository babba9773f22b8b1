import { HalcyonError } from "./errors";

/** What every page of a list says of itself. */
export interface PageInfo {
  limit: number;
  offset: number;
  has_more: boolean;
}

/**
 * A list: awaited it is its first page, iterated every entry of all pages.
 *
 * @example
 * const { transfers } = await halcyon.transfers.list({ limit: 5 });
 * for await (const transfer of halcyon.transfers.list()) console.log(transfer.to);
 */
export interface Paged<Page, Entry> extends Promise<Page>, AsyncIterable<Entry> {}

/** How many entries back a page may repeat, when others came in front of the list meanwhile. */
const REMEMBERED = 10_000;

/** How a kind of list is read. */
export interface ListOf<Input, Page extends PageInfo, Entry> {
  /** Reads one page. */
  read(input: Input): Promise<Page>;
  entries(page: Page): readonly Entry[];
  /** Identifies an entry: one that newer entries moved to the next page is returned once. */
  id(entry: Entry): string;
  /** What reads the page after; by its offset when left out. */
  next?(input: Input, page: Page): Input;
}

/** A list of pages, the first of which is read at once. */
export function paged<Input extends { limit?: number; offset?: number }, Page extends PageInfo, Entry>(
  list: ListOf<Input, Page, Entry>,
  input: Input,
): Paged<Page, Entry> {
  const next = list.next ?? ((now, { limit, offset }) => ({ ...now, limit, offset: offset + limit }));
  const first = list.read(input);
  async function* all(): AsyncGenerator<Entry> {
    const seen = new Set<string>();
    let from = input;
    for (let page = await first; ; page = await list.read(from)) {
      let progress = false;
      for (const entry of list.entries(page)) {
        const id = list.id(entry);
        if (seen.has(id)) continue;
        seen.add(id);
        progress = true;
        yield entry;
      }
      if (!page.has_more) return;
      // Without this, a service that ignores the cursor would have the first page read for ever.
      if (list.next && !progress) throw new HalcyonError("unavailable", "The service sent the same page twice.");
      forgetOldest(seen);
      from = next(from, page);
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
