import { findAgent } from "../../account/agents";
import { timeText } from "../../api/check-input";
import { type Paged, type PageInput, paged } from "../../api/paged";
import { getOnly } from "../../api/require-same-id";
import type { Transfer, TransferList } from "../../api/resources/transfers";
import type { Context } from "../../context/context";

/** A kind of transfer to filter lists by. */
export type TransferKind = "payment" | "public" | "refund" | "move" | "payment_request" | "payout" | "schedule";

/** Filters for a list of transfers, and its paging. */
export interface ListTransfersInput extends PageInput {
  status?: Transfer["status"] | undefined;
  /** Handle of an agent of the account: only its transfers. */
  agent?: string | undefined;
  direction?: Transfer["direction"] | undefined;
  /** `payment`, `public`, `refund`, `move`, or a payment for a `payment_request`, `payout` or `schedule`. */
  kind?: TransferKind | undefined;
  /** Only transfers with exactly this reference. */
  reference?: string | undefined;
  /** Only refunds of this transfer. */
  refundOf?: string | undefined;
  /** Only payments made with this API key, by its id. */
  key?: string | undefined;
  /** The other side of the transfer: a handle or a 0x address. */
  counterparty?: string | undefined;
  /** Symbol of an asset. */
  asset?: string | undefined;
  /** Exclusive bounds on `created_at`: a Date, or an ISO 8601 string. */
  from?: Date | string | undefined;
  to?: Date | string | undefined;
}

/** Lists the transfers that an API key can see. Implements `transfers.list`. */
export function listTransfers(context: Context, input: ListTransfersInput = {}): Paged<TransferList, Transfer> {
  const read = async ({ from, to, agent, startingAfter, refundOf, ...filters }: ListTransfersInput) => {
    const id = agent === undefined ? undefined : (await findAgent(context, agent)).account_id;
    const times = { from: timeText(from), to: timeText(to) };
    const query = { ...filters, ...times, agent: id, refund_of: refundOf, starting_after: startingAfter };
    return (await context.http.send("GET", "/v1/transfers", { query, headers: context.bearer })).body as TransferList;
  };
  return paged({ read, entries: ({ transfers }) => transfers, id: (transfer) => transfer.transfer_id }, input);
}

/**
 * Returns one transfer by its id. Needs an API key.
 *
 * @throws HalcyonError `not_found`
 */
export function getTransfer(context: Context, id: string): Promise<Transfer> {
  return getOnly<Transfer>(context, "transfers", "transfer_id", id);
}
