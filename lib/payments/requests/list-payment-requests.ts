import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { paymentRequests } from "@/db/schema/payment-requests";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { findPaymentRequest, ownRequests, type PaymentRequestRow } from "./find-payment-request";
import { type PaymentRequestView, paymentsOfRequest } from "./payments-of";
import type { ListPaymentRequestsQuery } from "./schema";

export interface PaymentRequestPage {
  requests: PaymentRequestView<PaymentRequestRow>[];
  limit: number;
  offset: number;
  hasMore: boolean;
}

/**
 * Returns the caller's payment requests, newest first.
 *
 * @throws ApiError `invalid_request` if `starting_after` is not one of the caller's requests, `key_forbidden` to an
 *   agent's key
 */
export async function listPaymentRequests(ctx: Context, query: ListPaymentRequestsQuery): Promise<PaymentRequestPage> {
  const { limit, offset, starting_after } = query;
  const after = starting_after === undefined ? undefined : await ownCursor(ctx, starting_after);
  const rows = await pageOfRequests(ctx, query, after);
  const shown = rows.slice(0, limit);
  const payments = await paymentsOfRequest(shown.map(({ id }) => id));
  const requests = shown.map((row) => ({ row, payments: payments.filter(({ requestId }) => requestId === row.id) }));
  return { requests, limit, offset, hasMore: rows.length > limit };
}

/** Returns the query for one page plus one row, which shows whether another page follows. */
function pageOfRequests(
  ctx: Context,
  { limit, offset, status, reference, from, to }: ListPaymentRequestsQuery,
  after?: Pick<PaymentRequestRow, "createdAt" | "id">,
) {
  const { createdAt, id } = paymentRequests;
  return db()
    .select()
    .from(paymentRequests)
    .where(
      and(
        ownRequests(ctx),
        status && eq(paymentRequests.status, status),
        reference === undefined ? undefined : eq(paymentRequests.reference, reference),
        from && gt(createdAt, from),
        to && lt(createdAt, to),
        after && sql`(${createdAt}, ${id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(limit + 1)
    .offset(offset);
}

/** Finds the request a page starts after. Other accounts' ids and unknown ids get the same error. */
async function ownCursor(ctx: Context, id: string): Promise<PaymentRequestRow> {
  try {
    return await findPaymentRequest(ctx, id);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "not_found")) throw error;
    throw new ApiError(
      "invalid_request",
      "starting_after is no payment request of yours. Take an id from a page of the list.",
      { param: "starting_after" },
    );
  }
}
