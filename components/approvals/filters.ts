import { offsetOf, oneOf, type SearchParams, textOf } from "@/components/lists/search-params";

export const STATUSES = ["approved", "rejected", "expired"] as const;

/** How many decided payments a page shows. */
export const PAGE_SIZE = 20;

/** What the page's address says; what means nothing is left out. */
export function readAddress(params: SearchParams) {
  return {
    status: oneOf(STATUSES, textOf(params, "status")),
    offset: offsetOf(params),
    /** Id of the payment that is open. */
    open: textOf(params, "open"),
  };
}
