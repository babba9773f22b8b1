import { and, eq, ne } from "drizzle-orm";
import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { transfers } from "@/db/schema/transfers";
import { ApiError } from "@/lib/errors";
import type { ChainId } from "@/lib/network";
import { refundNotPossible } from "./refund-not-possible";

/** A refund, with its received payment. */
export interface RefundClaim {
  /** The payment that it gives back. */
  transferId: string;
  /** Where it goes (lower case), and how that is recorded. */
  address: Address;
  to: string;
  /** 32 bytes that tie the recipient's copy to the refunded note. */
  binding: Uint8Array;
  /** How many earlier refunds the caller's client has counted; undefined if it could not look. */
  counted?: number | undefined;
}

/**
 * Locks the refunded payment for the rest of the transaction, so that of two concurrent refunds the second sees the
 * first.
 *
 * @throws ApiError `refund_not_possible` when it is no longer final, `refund_conflict` when there are other refunds
 *   than the client has counted
 */
export async function lockRefunded(tx: Tx, chainId: ChainId, { transferId, counted }: RefundClaim): Promise<void> {
  const [refunded] = await tx
    .select({ status: transfers.status })
    .from(transfers)
    .where(and(eq(transfers.id, transferId), eq(transfers.chainId, chainId)))
    .for("update");
  if (refunded?.status !== "confirmed") throw refundNotPossible("not_final");
  if (counted === undefined) return;
  const earlier = await tx.$count(transfers, and(eq(transfers.refundOf, transferId), ne(transfers.status, "failed")));
  if (earlier === counted) return;
  throw new ApiError(
    "refund_conflict",
    "Another refund of this payment was made, or failed, since your client counted them. Count them again, then repeat the refund.",
    { param: "refunds_counted" },
  );
}
