import type { TransferResource } from "@/lib/transfers/transfer-resource";

/** How many transfers a page shows. */
export const PAGE_SIZE = 20;

export const STATUSES = ["pending", "confirmed", "failed"] as const satisfies readonly TransferResource["status"][];
const DIRECTIONS = ["sent", "received"] as const;
const ASSETS = ["USDG", "ETH"] as const;

/** What the list is narrowed to, as its address says. Days are UTC, both included. */
export interface TransferFilters {
  status?: (typeof STATUSES)[number];
  direction?: (typeof DIRECTIONS)[number];
  /** As it was typed, with the @ of a handle. */
  counterparty?: string;
  asset?: (typeof ASSETS)[number];
  /** Id of an agent of the account. */
  agent?: string;
  /** Id of an API key. */
  key?: string;
  /** `2026-11-21` */
  from?: string;
  to?: string;
}

export type FilterName = keyof TransferFilters;

/** In the order of the form. */
export const FILTER_NAMES: readonly FilterName[] = [
  "status",
  "direction",
  "counterparty",
  "asset",
  "agent",
  "key",
  "from",
  "to",
];

export type SearchParams = Record<string, string | string[] | undefined>;

const DAY_MS = 24 * 3_600_000;

function oneOf<T extends string>(values: readonly T[], text: string | undefined): T | undefined {
  return values.find((value) => value === text);
}

/** A day that exists; `Date` would read 31 February as one of March. */
function day(text: string | undefined): string | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined;
}

/** Handles are often typed without their @. */
function party(text: string | undefined): string | undefined {
  if (!text) return undefined;
  return text.startsWith("@") || /^0x[0-9a-fA-F]{40}$/.test(text) ? text : `@${text}`;
}

/** The filters of a page's address; what means nothing is left out. */
export function readFilters(params: SearchParams): TransferFilters {
  const text = (name: string) => {
    const value = params[name];
    return (typeof value === "string" ? value.trim() : undefined) || undefined;
  };
  const all: TransferFilters = {
    status: oneOf(STATUSES, text("status")),
    direction: oneOf(DIRECTIONS, text("direction")),
    counterparty: party(text("counterparty")),
    asset: oneOf(ASSETS, text("asset")),
    agent: text("agent"),
    key: text("key"),
    from: day(text("from")),
    to: day(text("to")),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Entries to skip, of a page's address. */
export function readOffset(params: SearchParams): number {
  const { offset } = params;
  return typeof offset === "string" && /^[1-9][0-9]{0,8}$/.test(offset) ? Number(offset) : 0;
}

/** The query of `GET /api/transfers` for the filters: its bounds are moments, and strict. */
export function listQuery(filters: TransferFilters): Record<string, string | undefined> {
  const { from, to, ...rest } = filters;
  const moment = (time: number) => new Date(time).toISOString();
  return {
    ...rest,
    from: from && moment(Date.parse(from) - 1),
    to: to && moment(Date.parse(to) + DAY_MS),
  };
}

/** The list's address with these filters, at its first page. */
export function listHref(path: string, filters: TransferFilters): string {
  const search = new URLSearchParams();
  for (const name of FILTER_NAMES) if (filters[name]) search.set(name, filters[name]);
  return search.size > 0 ? `${path}?${search}` : path;
}

/** How many narrow the list beside its status, which has tabs of its own. */
export function countFilters({ status, ...rest }: TransferFilters): number {
  return Object.keys(rest).length;
}
