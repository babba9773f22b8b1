import { and, eq, ne, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { paymentRequests, requestPayments } from "@/db/schema/payment-requests";
import { transfers } from "@/db/schema/transfers";
import { appendRequestEvent } from "./append-request-event";
import type { PaymentRequestRow } from "./find-payment-request";

/**
 * Reports whether the request has an unchecked payment that has arrived or can still arrive.
 *
 * @param payerRootId only of this account and its agents
 */
export async function hasUnchecked(tx: Tx, requestId: string, payerRootId?: string): Promise<boolean> {
  const [found] = await tx
    .select({ one: sql<number>`1` })
    .from(requestPayments)
    .innerJoin(transfers, eq(transfers.id, requestPayments.transferId))
    .where(
      and(
        eq(requestPayments.requestId, requestId),
        eq(requestPayments.state, "unchecked"),
        ne(transfers.status, "failed"),
        payerRootId === undefined ? undefined : eq(transfers.payerRootId, payerRootId),
      ),
    )
    .limit(1);
  return found !== undefined;
}

/**
 * Updates the state of a locked request for its payments and the time. `paid`, `cancelled` and `expired` are final. The
 * event of an expiry is written only here, so it is written once.
 *
 * @returns the row in its new state
 */
export async function settleStatus(tx: Tx, row: PaymentRequestRow, now: Date): Promise<PaymentRequestRow> {
  if (row.status !== "open" && row.status !== "processing") return row;
  const status = (await hasUnchecked(tx, row.id)) ? "processing" : row.expiresAt <= now ? "expired" : "open";
  if (status === row.status) return row;
  const closedAt = status === "expired" ? now : null;
  await tx.update(paymentRequests).set({ status, closedAt }).where(eq(paymentRequests.id, row.id));
  if (status === "expired") await appendRequestEvent(tx, row, { type: "payment_request.expired" }, now);
  return { ...row, status, closedAt };
}
