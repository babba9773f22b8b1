import { findAgent } from "../account/agents";
import { timeText } from "../api/check-input";
import { type Paged, type PageInput, paged } from "../api/paged";
import type { Transfer, TransferList } from "../api/resources/transfers";
import type { KeyContext } from "../context/key-context";

/** A kind of transfer that lists filter by. */
export type TransferKind = "payment" | "public" | "refund" | "move" | "payment_request" | "payout" | "schedule";

/** Which transfers, and how many at a time. */
export interface ListTransfersInput extends PageInput {
  status?: Transfer["status"] | undefined;
  /** Handle of an agent of the account: its transfers alone. */
  agent?: string | undefined;
  direction?: Transfer["direction"] | undefined;
  /** `payment`, `public`, `refund`, `move`, or what was paid for a `payment_request`, `payout` or `schedule`. */
  kind?: TransferKind | undefined;
  /** Exactly this reference. */
  reference?: string | undefined;
  /** The refunds of this transfer. */
  refundOf?: string | undefined;
  /** Only payments made with this API key: its id. */
  key?: string | undefined;
  /** Who is on the other side: a handle or a 0x address. */
  counterparty?: string | undefined;
  /** Symbol of an asset. */
  asset?: string | undefined;
  /** Strict bounds on `created_at`: a Date, or ISO 8601. */
  from?: Date | string | undefined;
  to?: Date | string | undefined;
}

/** The transfers that an API key sees: what `transfers.list` does. */
export function listTransfers(context: KeyContext, input: ListTransfersInput = {}): Paged<TransferList, Transfer> {
  const read = async ({ from, to, agent, startingAfter, refundOf, ...filters }: ListTransfersInput) => {
    const id = agent === undefined ? undefined : (await findAgent(context, agent)).account_id;
    const times = { from: timeText(from), to: timeText(to) };
    const query = { ...filters, ...times, agent: id, refund_of: refundOf, starting_after: startingAfter };
    return (await context.http.send("GET", "/v1/transfers", { query, headers: context.bearer })).body as TransferList;
  };
  return paged({ read, entries: ({ transfers }) => transfers, id: (transfer) => transfer.transfer_id }, input);
}

/**
 * One transfer by its id. Needs an API key.
 *
 * @throws HalcyonError `not_found`
 */
export async function getTransfer(context: KeyContext, id: string): Promise<Transfer> {
  const path = `/v1/transfers/${encodeURIComponent(id)}`;
  return (await context.http.send("GET", path, { headers: context.bearer })).body as Transfer;
}
