import { and, eq, ne, sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { transfers } from "@/db/schema/transfers";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { refundNotPossible } from "./refund-not-possible";
import { refundsOf } from "./refunds-of";

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
  /** For an approval: when the refund was requested, and compared with the earlier ones. */
  requestedAt?: Date | undefined;
}

/**
 * Locks the refunded payment for the rest of the transaction, so that of two concurrent refunds the second sees the
 * first.
 *
 * @throws ApiError `refund_not_possible` when it is no longer final, `refund_conflict` when there are other refunds
 *   than the client has counted, or when nothing was counted and a rebuilt payment may be a refund of it
 */
export async function lockRefunded(
  tx: Tx,
  chainId: ChainId,
  { transferId, counted, requestedAt = new Date(0) }: RefundClaim,
): Promise<void> {
  const [refunded] = await tx
    .select({ status: transfers.status })
    .from(transfers)
    .where(and(eq(transfers.id, transferId), eq(transfers.chainId, chainId)))
    .for("update");
  if (refunded?.status !== "confirmed") throw refundNotPossible("not_final");
  const earlier = await tx
    .select({ refundOf: transfers.refundOf, createdAt: transfers.createdAt })
    .from(transfers)
    .where(and(sql`${transfers.id} in (${refundsOf(transferId)})`, ne(transfers.status, "failed")));
  if (counted === undefined) {
    // A rebuilt payment has the chain's time, in whole seconds.
    const since = requestedAt.getTime() - 60_000;
    if (earlier.some(({ refundOf, createdAt }) => refundOf === null && createdAt.getTime() > since))
      throw conflict(
        "The service was restored from a backup, and a payment to this payer may be a refund of this payment. Look at " +
          "GET /v1/transfers with this refund_of. To refund more, repeat the request with refunds_counted, the number " +
          "of transfers listed there that have not failed.",
      );
  } else if (earlier.length !== counted)
    throw conflict(
      "Another refund of this payment was made, or failed, since your client counted them. Count them again, then repeat the refund.",
    );
}

function conflict(message: string): ApiError {
  return new ApiError("refund_conflict", message, { param: "refunds_counted" });
}
