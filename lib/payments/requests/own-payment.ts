import { and, asc, eq, ne } from "drizzle-orm";
import { db } from "@/db/client";
import { requestPayments } from "@/db/schema/payment-requests";
import { transfers } from "@/db/schema/transfers";
import { isoTime } from "@/lib/base/clock";
import type { SessionContext } from "@/lib/base/context/context";

/** The payer's own payment of a request. */
export interface OwnPayment {
  transferId: string;
  status: "pending" | "confirmed";
  /** ISO 8601. */
  createdAt: string;
}

/**
 * Returns the first payment of a request that the caller's account or one of its agents made and that has not failed, or
 * null. Says nothing of other payers.
 */
export async function ownPayment(ctx: SessionContext, requestId: string): Promise<OwnPayment | null> {
  const { account, chainId } = ctx;
  const [paid] = await db()
    .select({ transferId: transfers.id, status: transfers.status, createdAt: transfers.createdAt })
    .from(requestPayments)
    .innerJoin(transfers, eq(transfers.id, requestPayments.transferId))
    .where(
      and(
        eq(requestPayments.requestId, requestId),
        eq(transfers.payerRootId, account.rootId),
        eq(transfers.chainId, chainId),
        ne(transfers.status, "failed"),
      ),
    )
    .orderBy(asc(transfers.createdAt), asc(transfers.id))
    .limit(1);
  if (!paid) return null;
  const status = paid.status === "confirmed" ? "confirmed" : "pending";
  return { transferId: paid.transferId, status, createdAt: isoTime(paid.createdAt) };
}
