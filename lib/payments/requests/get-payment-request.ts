import type { Context } from "@/lib/base/context/context";
import { findPaymentRequest, type PaymentRequestRow } from "./find-payment-request";
import { type PaymentRequestView, paymentsOfRequest } from "./payments-of";

/**
 * Returns one of the caller's payment requests with its payments.
 *
 * @throws ApiError `not_found`, `key_forbidden` to an agent's key
 */
export async function getPaymentRequest(ctx: Context, id: string): Promise<PaymentRequestView<PaymentRequestRow>> {
  const row = await findPaymentRequest(ctx, id);
  return { row, payments: await paymentsOfRequest([row.id]) };
}
