import type { Address } from "viem";
import type { TransferKind } from "./schema";

/** Filters and page of a list of transfers. `from` and `to` are exclusive bounds on the time of creation. */
export interface ListOptions {
  limit: number;
  offset: number;
  status?: "pending" | "confirmed" | "failed";
  from?: Date;
  to?: Date;
  direction?: "sent" | "received";
  asset?: Address;
  /** The other side. One without an account can only be a recipient. */
  counterparty?: { address: Address; account: { id: string } | null };
  /** Only payments made with this API key. */
  keyId?: string;
  kind?: TransferKind;
  reference?: string;
  /** Only the refunds of this transfer, by its id. */
  refundOf?: string;
  /** Only what follows this transfer, which the caller may see, in the list. */
  startingAfter?: string;
}
