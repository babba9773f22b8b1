import { eq } from "drizzle-orm";
import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { paymentRequests } from "@/db/schema/payment-requests";
import { isoTime } from "@/lib/base/clock";
import type { Context, ContextAccount } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { isId } from "@/lib/base/ids";
import { noSuchRequest, type PaymentRequestRow } from "./find-payment-request";
import { hasUnchecked } from "./settle-status";

/** A payment that names a payment request, before it is recorded. Addresses are in lower case. */
interface NamingPayment {
  payer: Pick<ContextAccount, "rootId">;
  recipient: Address;
  asset: Address;
  confidential: boolean;
}

const PARAM = "payment_request";

/**
 * Checks that a payment may name a payment request and locks the request, in the payment's own transaction. This runs
 * before anything is proved, so that a payment of the wrong kind, or for a closed request, is refused early. The
 * service can't see the amount: the payee's client checks it. Until then, the same account can't pay it again.
 *
 * @throws ApiError `not_found`, `invalid_request` naming the field, `payment_request_closed`
 */
export async function acceptPayment(
  tx: Tx,
  ctx: Pick<Context, "chainId">,
  id: string,
  payment: NamingPayment,
  now = new Date(),
): Promise<PaymentRequestRow> {
  const [row] = isId("paymentRequest", id)
    ? await tx.select().from(paymentRequests).where(eq(paymentRequests.id, id)).for("update")
    : [];
  if (!row || row.chainId !== ctx.chainId) throw noSuchRequest(PARAM);
  assertPayable(row, payment, now);
  // A payment of someone else, which may be of one unit, must not keep this account from paying.
  if (await hasUnchecked(tx, id, payment.payer.rootId)) throw requestClosed("processing");
  return row;
}

function assertPayable(row: PaymentRequestRow, payment: NamingPayment, now: Date): void {
  const refuse = (param: string, message: string) => new ApiError("invalid_request", message, { param });
  if (row.accountId === payment.payer.rootId) {
    throw refuse(PARAM, "This payment request is your own. Send its link to who is to pay it.");
  }
  if (row.payee !== payment.recipient) {
    throw refuse("to", "The payment request is of another payee. Pay the address that its link shows.");
  }
  if (row.asset !== payment.asset) {
    throw refuse("asset", "The payment request asks for another asset. Pay in the asset that its link shows.");
  }
  if (!payment.confidential) {
    throw refuse("confidential", "A payment request is paid confidentially. Leave out `confidential`.");
  }
  if (row.status === "paid" || row.status === "cancelled") throw requestClosed(row.status);
  if (row.status === "expired" || row.expiresAt <= now) throw requestExpired(row.expiresAt, now);
}

/** Returns the error for a payment that comes too late, which says what happened to the request. */
export function requestClosed(status: "processing" | "paid" | "cancelled"): ApiError {
  const why = {
    processing: "Your account has paid this payment request, and its payee has not checked the payment yet",
    paid: "This payment request has been paid. Don't pay it again",
    cancelled: "The payee cancelled this payment request. Ask them before you pay",
  }[status];
  return new ApiError("payment_request_closed", `${why}. This payment was not made.`, { param: PARAM });
}

/** Names the service's clock: by the payer's, the request may still be open. */
function requestExpired(at: Date, now: Date): ApiError {
  const times = `It expired at ${isoTime(at)}, and by the service's clock it is ${isoTime(now)}`;
  const message = `This payment request has expired. Ask the payee for another. ${times}. This payment was not made.`;
  return new ApiError("payment_request_closed", message, { param: PARAM });
}
