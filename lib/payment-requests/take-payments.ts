import { eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { paymentRequests, requestPayments } from "@/db/schema/payment-requests";

/** Of a transfer's row, what says which request it pays. */
export interface NamingTransfer {
  id: string;
  paymentRequestId: string | null;
}

/**
 * Takes payments for the requests that they name, which `acceptPayment` has locked in this transaction: the requests are
 * `processing` from then on.
 */
export async function takePayments(tx: Tx, rows: readonly NamingTransfer[], now: Date): Promise<void> {
  for (const { id: transferId, paymentRequestId } of rows) {
    if (paymentRequestId === null) continue;
    const payment = { transferId, requestId: paymentRequestId, state: "unchecked" as const, createdAt: now };
    await tx.insert(requestPayments).values(payment);
    await tx.update(paymentRequests).set({ status: "processing" }).where(eq(paymentRequests.id, paymentRequestId));
  }
}
