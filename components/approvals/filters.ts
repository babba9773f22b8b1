import { offsetOf, oneOf, type SearchParams, textOf } from "@/components/lists/search-params";

export const STATUSES = ["approved", "rejected", "expired"] as const;

/** How many payments a page shows, of those that wait and of those that were decided. */
export const PAGE_SIZE = 20;

/** The parameter of the page of those that wait; `offset` is the history's. */
export const WAITING = "waiting";

/** What the page's address says; what means nothing is left out. */
export function readAddress(params: SearchParams) {
  return {
    status: oneOf(STATUSES, textOf(params, "status")),
    offset: offsetOf(params),
    waiting: offsetOf(params, WAITING),
    /** Id of the payment that is open. */
    open: textOf(params, "open"),
  };
}
