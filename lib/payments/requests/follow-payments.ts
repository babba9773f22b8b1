import { and, asc, eq, isNull } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { paymentRequests, requestPayments } from "@/db/schema/payment-requests";
import { appendRequestEvent } from "./append-request-event";
import { settleStatus } from "./settle-status";
import type { NamingTransfer } from "./take-payments";

/** A transfer whose state has just changed. */
export type FollowedTransfer = Pick<NamingTransfer, "id" | "paymentRequestId"> & {
  status: "pending" | "confirmed" | "failed";
};

/**
 * Updates payment requests whose payments were settled, in the same transaction. Announces a confirmed payment once.
 * After a failed payment the request is open again, or expired if its time has passed.
 */
export async function followPayments(tx: Tx, rows: readonly FollowedTransfer[], now: Date): Promise<void> {
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
