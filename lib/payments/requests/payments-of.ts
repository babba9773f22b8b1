import { asc, eq } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import { db, type Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { requestPayments } from "@/db/schema/payment-requests";
import { transfers } from "@/db/schema/transfers";

/** A payment of a request, as its payee sees it. */
export interface RequestPayment {
  requestId: string;
  transferId: string;
  state: (typeof requestPayments.$inferSelect)["state"];
  /** The transfer's status. */
  status: "pending" | "confirmed" | "failed";
  /** Without @. */
  payerHandle: string;
  createdAt: Date;
  checkedAt: Date | null;
}

/** Returns the payments of the given requests, oldest first. */
export async function paymentsOfRequest(
  requestIds: readonly string[],
  at: Pick<Tx, "select"> = db(),
): Promise<RequestPayment[]> {
  if (requestIds.length === 0) return [];
  return at
    .select({
      requestId: requestPayments.requestId,
      transferId: requestPayments.transferId,
      state: requestPayments.state,
      status: transfers.status,
      payerHandle: accounts.handle,
      createdAt: requestPayments.createdAt,
      checkedAt: requestPayments.checkedAt,
    })
    .from(requestPayments)
    .innerJoin(transfers, eq(transfers.id, requestPayments.transferId))
    .innerJoin(accounts, eq(accounts.id, transfers.payerId))
    .where(anyOf(requestPayments.requestId, requestIds))
    .orderBy(asc(requestPayments.createdAt), asc(requestPayments.transferId));
}

/** A request with its payments. */
export interface PaymentRequestView<Row> {
  row: Row;
  payments: readonly RequestPayment[];
}
