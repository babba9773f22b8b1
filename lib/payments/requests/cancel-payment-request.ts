import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { paymentRequests } from "@/db/schema/payment-requests";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { appendRequestEvent } from "./append-request-event";
import { lockPaymentRequest, type PaymentRequestRow } from "./find-payment-request";
import { type PaymentRequestView, paymentsOfRequest } from "./payments-of";

/**
 * Cancels an open request, which then takes no more payments. Cancelling it again changes nothing.
 *
 * @throws ApiError `not_found`; `payment_request_closed` when it is paid, has expired, or has a payment that is not
 *   checked yet
 */
export async function cancelPaymentRequest(
  ctx: Context,
  id: string,
  beforeCommit: BeforeCommit<PaymentRequestView<PaymentRequestRow>> = async () => {},
  now = new Date(),
): Promise<PaymentRequestView<PaymentRequestRow>> {
  return db().transaction(async (tx) => {
    const found = await lockPaymentRequest(tx, ctx, id);
    const row = found.status === "cancelled" ? found : { ...found, status: "cancelled" as const, closedAt: now };
    if (found.status === "processing") {
      throw new ApiError(
        "payment_request_closed",
        "A payment of this request waits to be checked. Check it first: `halcyon request check`, or in the dashboard.",
      );
    }
    if (found.status === "paid" || found.status === "expired") {
      throw new ApiError(
        "payment_request_closed",
        `This payment request is ${found.status}: there is nothing to cancel.`,
      );
    }
    const view = { row, payments: await paymentsOfRequest([id], tx) };
    if (found !== row) {
      await tx
        .update(paymentRequests)
        .set({ status: row.status, closedAt: row.closedAt })
        .where(eq(paymentRequests.id, id));
      await appendRequestEvent(tx, row, { type: "payment_request.cancelled" }, now);
      const entry = { rootId: ctx.account.id, chainId: ctx.chainId, actor: actorOf(ctx), target: id };
      await appendAudit(tx, { ...entry, action: "payment_request.cancelled" }, now);
    }
    await beforeCommit(tx, view);
    return view;
  });
}
