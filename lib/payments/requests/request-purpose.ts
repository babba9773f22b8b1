import { and, asc, eq, isNull } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { paymentRequests, requestPayments } from "@/db/schema/payment-requests";
import { NO_STEP, type Purpose } from "@/lib/payments/purpose";
import { acceptPayment } from "./accept-payment";
import { appendRequestEvent } from "./append-request-event";
import { settleStatus } from "./settle-status";
import { type NamingTransfer, takePayments } from "./take-payments";

/** A transfer whose state has just changed. */
type FollowedTransfer = Pick<NamingTransfer, "id" | "paymentRequestId"> & {
  status: "pending" | "confirmed" | "failed";
};

/** A payment for a payment request. */
export const paymentRequest: Purpose = {
  column: "paymentRequestId",
  claimed: "after balances",
  named: (details) => details.paymentRequest,
  async claim(tx, ctx, { paymentRequest }, payment) {
    if (paymentRequest !== undefined) await acceptPayment(tx, ctx, paymentRequest, payment);
  },
  record: async (tx, rows, now) => () => takePayments(tx, rows, now),
  settle: followPayments,
  // A payment that has not failed keeps its request in the same state, whether it is final or not.
  reopen: NO_STEP,
};

/**
 * Updates payment requests whose payments were settled, in the same transaction. Announces a confirmed payment once.
 * After a failed payment the request is open again, or expired if its time has passed.
 */
async function followPayments(tx: Tx, rows: readonly FollowedTransfer[], now: Date): Promise<void> {
  const named = rows.filter(({ paymentRequestId }) => paymentRequestId !== null);
  const ids = [...new Set(named.flatMap(({ paymentRequestId }) => paymentRequestId ?? []))];
  if (ids.length === 0) return;
  const requests = await tx
    .select()
    .from(paymentRequests)
    .where(anyOf(paymentRequests.id, ids))
    .orderBy(asc(paymentRequests.id))
    .for("update");
  for (const request of requests) {
    const own = named.filter(({ paymentRequestId }) => paymentRequestId === request.id);
    for (const { id } of own.filter(({ status }) => status === "confirmed")) {
      const announced = await tx
        .update(requestPayments)
        .set({ announcedAt: now })
        .where(and(eq(requestPayments.transferId, id), isNull(requestPayments.announcedAt)))
        .returning({ id: requestPayments.transferId });
      if (announced.length === 0) continue;
      await appendRequestEvent(tx, request, { type: "payment_request.payment_received", transferId: id }, now);
    }
    await settleStatus(tx, request, now);
  }
}
