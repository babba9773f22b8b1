import { route } from "@/lib/http/route";
import { cancelPaymentRequest } from "@/lib/payments/requests/cancel-payment-request";
import { PaymentRequestResource, toPaymentRequest } from "@/lib/payments/requests/payment-request-resource";

export const POST = route({
  auth: ["key", "session"],
  scope: "requests",
  idempotent: true,
  docs: {
    operationId: "cancelPaymentRequest",
    tag: "Payment requests",
    summary: "Cancel a payment request",
    description: "Cancels an open payment request: no payment is taken for it from then on.",
    errors: ["payment_request_closed"],
  },
  responses: { 200: PaymentRequestResource },
  handle: ({ ctx, params, beforeCommit }) => cancelPaymentRequest(ctx, params.payment_request_id ?? "", beforeCommit),
  serialize: toPaymentRequest,
});
