import { eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { paymentRequests, requestPayments } from "@/db/schema/payment-requests";

/** The columns of a transfer that say which request it pays. */
export interface NamingTransfer {
  id: string;
  paymentRequestId: string | null;
}

/**
 * Links payments to the requests they name and sets those to `processing`. `acceptPayment` must have locked the
 * requests in this transaction.
 */
export async function takePayments(tx: Tx, rows: readonly NamingTransfer[], now: Date): Promise<void> {
  for (const { id: transferId, paymentRequestId } of rows) {
    if (paymentRequestId === null) continue;
    const payment = { transferId, requestId: paymentRequestId, state: "unchecked" as const, createdAt: now };
    await tx.insert(requestPayments).values(payment);
    await tx.update(paymentRequests).set({ status: "processing" }).where(eq(paymentRequests.id, paymentRequestId));
  }
}
