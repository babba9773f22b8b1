import { route } from "@/lib/http/route";
import { cancelPaymentRequest } from "@/lib/payments/requests/cancel-payment-request";
import { toPaymentRequest } from "@/lib/payments/requests/payment-request-resource";

export const POST = route({
  auth: "session",
  handle: ({ ctx, params }) => cancelPaymentRequest(ctx, params.id ?? ""),
  serialize: toPaymentRequest,
});
