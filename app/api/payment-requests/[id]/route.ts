import { route } from "@/lib/http/route";
import { getPaymentRequest } from "@/lib/payments/requests/get-payment-request";
import { toPaymentRequest } from "@/lib/payments/requests/payment-request-resource";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getPaymentRequest(ctx, params.id ?? ""),
  serialize: toPaymentRequest,
});
