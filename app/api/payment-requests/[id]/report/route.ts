import { route } from "@/lib/http/route";
import { toPaymentRequest } from "@/lib/payment-requests/payment-request-resource";
import { reportPayment } from "@/lib/payment-requests/report-payment";
import { ReportPaymentInput } from "@/lib/payment-requests/schema";

export const POST = route({
  auth: "session",
  body: ReportPaymentInput,
  handle: ({ ctx, params, body }) => reportPayment(ctx, params.id ?? "", body),
  serialize: toPaymentRequest,
});
