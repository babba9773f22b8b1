import { route } from "@/lib/http/route";
import { toPaymentRequest } from "@/lib/payments/requests/payment-request-resource";
import { reportPayment } from "@/lib/payments/requests/report-payment";
import { ReportPaymentInput } from "@/lib/payments/requests/schema";

export const POST = route({
  auth: "session",
  body: ReportPaymentInput,
  handle: ({ ctx, params, body }) => reportPayment(ctx, params.id ?? "", body),
  serialize: toPaymentRequest,
});
