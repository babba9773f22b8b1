import type { SealedTransfer } from "../../api/api-types";
import { HalcyonError } from "../../api/errors";
import type { HttpRequest } from "../../api/http";
import { only } from "../../api/only";
import type { PageInfo } from "../../api/paged";
import type { Transfer, TransferList } from "../../api/resources/transfers";
import type { Context } from "../../context/context";
import type { SealedParts } from "./transfer-opener";

/** A page of transfers with their encrypted copies. */
export interface SealedTransferList extends PageInfo {
  transfers: SealedTransfer[];
}

/**
 * Converts a transfer of `/v1` to the form of the session API, with the encrypted copies beside the other fields.
 *
 * @throws HalcyonError `invalid_request` for a transfer that was read without its copies
 */
export function withCopies(transfer: Transfer): SealedTransfer {
  const { encrypted, ...plain } = transfer;
  if (encrypted) return { ...plain, ...encrypted, key_id: null };
  throw new HalcyonError(
    "invalid_request",
    "This transfer has no encrypted copies. Read it with `include=encrypted`, or use `transfers.getDecrypted`.",
  );
}

/**
 * Returns the copies from the input of `transfers.decrypt`: an entry of the session API, or a transfer of `/v1` read
 * with `include=encrypted`.
 */
export function copiesOf(transfer: SealedParts | Transfer): SealedParts {
  return "kind" in transfer ? transfer : withCopies(transfer);
}

/** Reads a page of the account's transfers with their copies, over the wallet's session or else with the API key. */
export async function readTransfers(
  context: Context,
  query: NonNullable<HttpRequest["query"]>,
): Promise<SealedTransferList> {
  if (!context.isViewOnly) return (await context.session()).get<SealedTransferList>("/api/transfers", query);
  const request = { query: { ...query, include: "encrypted" }, headers: context.bearer };
  const list = (await context.http.send("GET", "/v1/transfers", request)).body as TransferList;
  return { ...list, transfers: list.transfers.map(withCopies) };
}

/** Reads one transfer with its copies. */
export async function readTransferCopies(context: Context, id: string): Promise<SealedTransfer> {
  const path = `transfers/${encodeURIComponent(id)}`;
  if (!context.isViewOnly) {
    return only("transfer_id", id, (await context.session()).get<SealedTransfer>(`/api/${path}`));
  }
  const request = { query: { include: "encrypted" }, headers: context.bearer };
  const read = async () => (await context.http.send("GET", `/v1/${path}`, request)).body as Transfer;
  return withCopies(await only("transfer_id", id, read()));
}
