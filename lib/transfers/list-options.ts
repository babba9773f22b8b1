import type { Address } from "viem";
import type { TransferKind } from "./schema";

/** Filters and page, as the query of the list says. `from` and `to` are strict bounds on the time of creation. */
export interface ListOptions {
  limit: number;
  offset: number;
  status?: "pending" | "confirmed" | "failed";
  from?: Date;
  to?: Date;
  direction?: "sent" | "received";
  asset?: Address;
  /** Who is on the other side; without an account it can only have been paid. */
  counterparty?: { address: Address; account: { id: string } | null };
  /** Only payments made with this API key. */
  keyId?: string;
  kind?: TransferKind;
  reference?: string;
  /** Only the refunds of this transfer, by its id. */
  refundOf?: string;
  /** Only what follows this transfer in the list, which the caller may see. */
  startingAfter?: string;
}
