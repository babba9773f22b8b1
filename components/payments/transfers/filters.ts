import { type DayFilters, momentsOf, readDays } from "@/components/lists/days";
import { choicesOf, DAYS, type FilterField } from "@/components/lists/filter-field";
import { oneOf, present, type SearchParams, textOf } from "@/components/lists/search-params";
import type { Choice } from "@/components/ui/field";
import type { TransferResource } from "@/lib/payments/transfer-resource";

/** How many transfers a page may show, the default first. */
export const TRANSFERS_PAGE_SIZES = [20, 50, 100] as const;

/** Returns how many transfers the page shows. */
export function pageSizeOf(params: SearchParams): number {
  const [standard] = TRANSFERS_PAGE_SIZES;
  return TRANSFERS_PAGE_SIZES.find((size) => String(size) === textOf(params, "rows")) ?? standard;
}

export const TRANSFER_STATUSES = [
  "pending",
  "confirmed",
  "failed",
] as const satisfies readonly TransferResource["status"][];
const DIRECTIONS = ["sent", "received"] as const;
const KINDS = [
  { value: "payment", name: "Payments" },
  { value: "public", name: "Public payments" },
  { value: "refund", name: "Refunds" },
  { value: "move", name: "Moves between your balances" },
  { value: "payment_request", name: "Paid for a request" },
  { value: "payout", name: "Payouts" },
  { value: "schedule", name: "Scheduled payments" },
] as const;
const ASSETS = ["USDG", "ETH"] as const;

/** The filters of the list, from the page's address. */
export interface TransferFilters extends DayFilters {
  status?: (typeof TRANSFER_STATUSES)[number];
  direction?: (typeof DIRECTIONS)[number];
  /** As typed, with the `@` of a handle. */
  counterparty?: string;
  asset?: (typeof ASSETS)[number];
  kind?: (typeof KINDS)[number]["value"];
  /** Exactly as the payer wrote it. */
  reference?: string;
  /** Id of the transfer whose refunds are listed. */
  refund_of?: string;
  /** Id of an agent of the account. */
  agent?: string;
  /** Id of an API key. */
  key?: string;
}

/** The filter fields of the list. The status has tabs of its own. */
export function transferFilterFields(agents: readonly Choice[], keys: readonly Choice[]): FilterField[] {
  const directions = [
    { value: "sent", name: "Sent" },
    { value: "received", name: "Received" },
  ];
  return [
    {
      name: "counterparty",
      label: "Counterparty",
      said: "With",
      input: { kind: "text", hint: "@handle or 0x address" },
    },
    {
      name: "direction",
      label: "Direction",
      input: { kind: "choice", every: "Sent and received", choices: directions },
    },
    { name: "asset", label: "Asset", input: { kind: "choice", every: "All assets", choices: choicesOf(ASSETS) } },
    { name: "kind", label: "Kind", input: { kind: "choice", every: "All kinds", choices: KINDS } },
    {
      name: "reference",
      label: "Reference",
      said: "Reference",
      input: { kind: "text", hint: "Exactly as written" },
    },
    {
      name: "refund_of",
      label: "Refunds of",
      said: "Refunds of",
      input: { kind: "text", hint: "tr_…" },
    },
    {
      name: "agent",
      label: "Agent",
      said: "Agent",
      input: { kind: "choice", every: "Account and agents", choices: agents },
    },
    {
      name: "key",
      label: "Paid with API key",
      said: "Key",
      input: { kind: "choice", every: "Any or none", choices: keys },
    },
    ...DAYS,
  ];
}

/** Adds the `@` that people often leave out of a handle. */
function party(text: string | undefined): string | undefined {
  if (!text) return undefined;
  return text.startsWith("@") || /^0x[0-9a-fA-F]{40}$/.test(text) ? text : `@${text}`;
}

const transferId = (text: string | undefined) =>
  text && /^tr_[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text) ? text : undefined;

/** Reads the filters from the page's query parameters. Invalid ones are ignored. */
export function readTransferFilters(params: SearchParams): TransferFilters {
  return present({
    status: oneOf(TRANSFER_STATUSES, textOf(params, "status")),
    direction: oneOf(DIRECTIONS, textOf(params, "direction")),
    counterparty: party(textOf(params, "counterparty")),
    asset: oneOf(ASSETS, textOf(params, "asset")),
    kind: oneOf(
      KINDS.map(({ value }) => value),
      textOf(params, "kind"),
    ),
    reference: textOf(params, "reference")?.slice(0, 64),
    refund_of: transferId(textOf(params, "refund_of")),
    agent: textOf(params, "agent"),
    key: textOf(params, "key"),
    ...readDays(params),
  });
}

/** Returns the query of `GET /v1/transfers` for these filters. */
export function transfersQuery({ zone, ...filters }: TransferFilters): Record<string, string | undefined> {
  return { ...filters, ...momentsOf({ ...filters, zone }) };
}
