import { and, eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { paymentRequests, requestPayments } from "@/db/schema/payment-requests";
import { transfers } from "@/db/schema/transfers";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { isId } from "@/lib/base/ids";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { appendRequestEvent } from "./append-request-event";
import { lockPaymentRequest, type PaymentRequestRow } from "./find-payment-request";
import { type PaymentRequestView, paymentsOfRequest, type RequestPayment } from "./payments-of";
import type { ReportPaymentInput } from "./schema";
import { settleStatus } from "./settle-status";

/**
 * Records what the payee's client found when it decrypted a payment, which the service can't read. The first payment
 * that covers the request and was made in time sets the request to `paid`. Repeating a report changes nothing.
 *
 * A client can also report a payment that carries the request's binding but does not name the request.
 *
 * @throws ApiError `not_found` (for the request, or naming `transfer_id`); `invalid_request` if the payment is not
 *   final, was reported differently before, or belongs to another request
 */
export async function reportPayment(
  ctx: Context,
  id: string,
  { transfer_id: transferId, finding }: ReportPaymentInput,
  beforeCommit: BeforeCommit<PaymentRequestView<PaymentRequestRow>> = async () => {},
  now = new Date(),
): Promise<PaymentRequestView<PaymentRequestRow>> {
  return db().transaction(async (tx) => {
    const request = await lockPaymentRequest(tx, ctx, id);
    const transfer = await findReceived(tx, ctx, request, transferId);
    const known = await findKnown(tx, request, transferId);
    if (known?.finding != null && known.finding !== finding) {
      throw refuse("finding", "This payment was reported with another finding before, which stays.");
    }
    let row = request;
    if (known?.finding == null) {
      const isCover = finding === "exact" || finding === "overpaid";
      const state = stateOf(request, transfer.createdAt, finding);
      const values = { state, finding, checkedAt: now };
      await tx
        .insert(requestPayments)
        .values({ transferId, requestId: id, createdAt: transfer.createdAt, ...values })
        .onConflictDoUpdate({ target: requestPayments.transferId, set: values });
      const isPaid = isCover && state === finding;
      row = isPaid ? await becomePaid(tx, request, transferId, now) : await settleStatus(tx, request, now);
      const entry = { rootId: ctx.account.id, chainId: ctx.chainId, actor: actorOf(ctx), target: id };
      await appendAudit(
        tx,
        { ...entry, action: "payment_request.reported", after: { transfer_id: transferId, state } },
        now,
      );
    }
    const view = { row, payments: await paymentsOfRequest([id], tx) };
    await beforeCommit(tx, view);
    return view;
  });
}

const refuse = (param: string, message: string) => new ApiError("invalid_request", message, { param });

/** Finds a final, confidential payment to the request's payee in the request's asset. */
async function findReceived(tx: Tx, ctx: Context, request: PaymentRequestRow, id: string) {
  const [row] = isId("transfer", id)
    ? await tx
        .select({
          status: transfers.status,
          kind: transfers.kind,
          asset: transfers.asset,
          createdAt: transfers.createdAt,
        })
        .from(transfers)
        .where(
          and(eq(transfers.id, id), eq(transfers.chainId, ctx.chainId), eq(transfers.recipientId, request.accountId)),
        )
    : [];
  if (row?.kind !== "transfer" || row.asset !== request.asset) {
    throw new ApiError("not_found", "You have received no such confidential payment in the request's asset.", {
      param: "transfer_id",
    });
  }
  if (row.status !== "confirmed") {
    throw refuse("transfer_id", "This payment is not final. Report it once its status is `confirmed`.");
  }
  return row;
}

async function findKnown(tx: Tx, request: PaymentRequestRow, transferId: string) {
  const [row] = await tx.select().from(requestPayments).where(eq(requestPayments.transferId, transferId));
  if (row && row.requestId !== request.id) {
    throw refuse("transfer_id", "This payment names another payment request. Report it there.");
  }
  return row;
}

/** Derives a payment's state from the client's finding and from whether the payment came first and in time. */
function stateOf(
  request: PaymentRequestRow,
  paidAt: Date,
  finding: ReportPaymentInput["finding"],
): RequestPayment["state"] {
  if (finding === "unrelated") return finding;
  if (request.status === "paid") return "second";
  if (paidAt > request.expiresAt || request.status === "cancelled") return "late";
  return finding;
}

async function becomePaid(tx: Tx, request: PaymentRequestRow, paidBy: string, now: Date): Promise<PaymentRequestRow> {
  const change = { status: "paid" as const, paidBy, closedAt: now };
  await tx.update(paymentRequests).set(change).where(eq(paymentRequests.id, request.id));
  await appendRequestEvent(tx, request, { type: "payment_request.paid", transferId: paidBy }, now);
  return { ...request, ...change };
}
