export const STATUSES = ["approved", "rejected", "expired"] as const;

/** How many decided payments a page shows. */
export const PAGE_SIZE = 20;

export type SearchParams = Record<string, string | string[] | undefined>;

/** What the page's address says; what means nothing is left out. */
export function readAddress({ status, offset, open }: SearchParams): {
  status: (typeof STATUSES)[number] | undefined;
  offset: number;
  open: string | undefined;
} {
  return {
    status: STATUSES.find((known) => known === status),
    offset: typeof offset === "string" && /^[1-9][0-9]{0,8}$/.test(offset) ? Number(offset) : 0,
    open: typeof open === "string" ? open : undefined,
  };
}
