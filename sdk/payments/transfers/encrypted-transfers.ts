import type { TransferWithCopies } from "../../api/api-types";
import type { HttpRequest } from "../../api/http";
import type { PageInfo } from "../../api/paged";
import { requireSameId } from "../../api/require-same-id";
import type { Transfer, TransferList } from "../../api/resources/transfers";
import { callApi } from "../../context/call-api";
import type { Context } from "../../context/context";
import type { EncryptedParts } from "./transfer-opener";
import { withCopies } from "./with-copies";

/** A page of transfers with their encrypted copies. */
export interface TransferListWithCopies extends PageInfo {
  transfers: TransferWithCopies[];
}

/** Returns the copies from the input of `transfers.decrypt`: a transfer read with `include=encrypted`. */
export function copiesOf(transfer: EncryptedParts | Transfer): EncryptedParts {
  return "kind" in transfer ? transfer : withCopies(transfer);
}

const callerOf = ({ isViewOnly }: Context) => (isViewOnly ? "key" : "session");

/** Reads a page of the account's transfers with their copies, over the wallet's session or else with the API key. */
export async function readTransfers(
  context: Context,
  query: NonNullable<HttpRequest["query"]> = {},
  by: "key" | "session" = callerOf(context),
): Promise<TransferListWithCopies> {
  const list = await callApi<TransferList>(context, "GET", "/v1/transfers", {
    query: { ...query, include: "encrypted" },
    by,
  });
  return { ...list, transfers: list.transfers.map(withCopies) };
}

async function readOne(context: Context, id: string, include: "encrypted" | "history"): Promise<Transfer> {
  const asked = callApi<Transfer>(context, "GET", `/v1/transfers/${encodeURIComponent(id)}`, {
    query: { include },
    by: callerOf(context),
  });
  return requireSameId("transfer_id", id, asked);
}

/** Reads one transfer with its copies. */
export async function readTransferCopies(context: Context, id: string): Promise<TransferWithCopies> {
  return withCopies(await readOne(context, id, "encrypted"));
}

/** Reads one transfer with its history, which says where a refund goes. */
export function readHistory(context: Context, id: string): Promise<Transfer> {
  return readOne(context, id, "history");
}
