import { route } from "@/lib/http/route";
import { PaymentRequestResource, toPaymentRequest } from "@/lib/payments/requests/payment-request-resource";
import { reportPayment } from "@/lib/payments/requests/report-payment";
import { ReportPaymentInput } from "@/lib/payments/requests/schema";

export const POST = route({
  auth: ["key", "session"],
  scope: "requests",
  idempotent: true,
  docs: {
    operationId: "reportRequestPayment",
    tag: "Payment requests",
    summary: "Report a payment of a request",
    description:
      "Reports what your client found when it decrypted a payment with the account's viewing key. The request becomes `paid` with the first payment that covers it. The SDK's `paymentRequests.check` does this.",
  },
  body: ReportPaymentInput,
  responses: { 200: PaymentRequestResource },
  handle: ({ ctx, params, body, beforeCommit }) =>
    reportPayment(ctx, params.payment_request_id ?? "", body, beforeCommit),
  serialize: toPaymentRequest,
});
