import type { Transfer } from "./api-types";
import type { Context } from "./context";

export interface ListTransfersInput {
  /** Entries per page, 1 to 100; 20 when left out. */
  limit?: number;
  offset?: number;
  status?: Transfer["status"];
  /** Strict bounds on `created_at`. */
  from?: Date;
  to?: Date;
}

/** A page of transfers, newest first. */
export interface TransferPage {
  transfers: Transfer[];
  limit: number;
  offset: number;
  has_more: boolean;
}

/** The transfers that an API key sees, newest first, without amounts and memos: only the wallet opens those. */
export async function listTransfers(context: Context, input: ListTransfersInput = {}): Promise<TransferPage> {
  const { limit, offset, status, from, to } = input;
  const query = { limit, offset, status, from: from?.toISOString(), to: to?.toISOString() };
  return (await context.http.send("GET", "/v1/transfers", { query, headers: context.bearer })).body as TransferPage;
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
