import { route } from "@/lib/http/route";
import { getPaymentRequest } from "@/lib/payments/requests/get-payment-request";
import { PaymentRequestResource, toPaymentRequest } from "@/lib/payments/requests/payment-request-resource";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  docs: {
    operationId: "getPaymentRequest",
    tag: "Payment requests",
    summary: "Get a payment request",
    description: "Returns a payment request of the account with the states of its payments.",
  },
  responses: { 200: PaymentRequestResource },
  handle: ({ ctx, params }) => getPaymentRequest(ctx, params.payment_request_id ?? ""),
  serialize: toPaymentRequest,
});
