import { type Paged, paged } from "../api/paging";
import type { Transfer, TransferList } from "../api/resources";
import type { Context } from "../context/context";

/** Which transfers, and how many at a time. */
export interface ListTransfersInput {
  /** Entries per page, 1 to 100; 20 when left out. */
  limit?: number;
  offset?: number;
  status?: Transfer["status"];
  /** Strict bounds on `created_at`. */
  from?: Date;
  to?: Date;
}

/**
 * The transfers that an API key sees, newest first, without amounts and memos: only the wallet opens those.
 *
 * @example
 * for await (const { to, status } of halcyon.listTransfers({ status: "confirmed" })) console.log(to, status);
 */
export function listTransfers(context: Context, input: ListTransfersInput = {}): Paged<TransferList, Transfer> {
  const read = async ({ from, to, ...filters }: ListTransfersInput) => {
    const query = { ...filters, from: from?.toISOString(), to: to?.toISOString() };
    return (await context.http.send("GET", "/v1/transfers", { query, headers: context.bearer })).body as TransferList;
  };
  return paged({ read, entries: ({ transfers }) => transfers, id: (transfer) => transfer.transfer_id }, input);
}

/**
 * One transfer by its id. Needs an API key.
 *
 * @throws HalcyonError `not_found`
 */
export async function getTransfer(context: Context, id: string): Promise<Transfer> {
  const path = `/v1/transfers/${encodeURIComponent(id)}`;
  return (await context.http.send("GET", path, { headers: context.bearer })).body as Transfer;
}
