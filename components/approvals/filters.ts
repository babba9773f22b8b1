import { offsetOf, oneOf, type SearchParams, textOf } from "@/components/lists/search-params";

export const DECISIONS = ["approved", "rejected", "expired"] as const;

/** How many payments a page shows, of the queue and of the history. */
export const DECIDED_PAGE_SIZE = 20;

/** The query parameter for the queue's page; `offset` is the history's. */
export const WAITING = "waiting";

/** Reads the page's query parameters. Invalid ones are ignored. */
export function readAddress(params: SearchParams) {
  return {
    status: oneOf(DECISIONS, textOf(params, "status")),
    offset: offsetOf(params),
    waiting: offsetOf(params, WAITING),
    /** Id of the open payment. */
    open: textOf(params, "open"),
  };
}
