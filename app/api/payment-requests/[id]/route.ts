import { route } from "@/lib/http/route";
import { getPaymentRequest } from "@/lib/payment-requests/get-payment-request";
import { toPaymentRequest } from "@/lib/payment-requests/payment-request-resource";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getPaymentRequest(ctx, params.id ?? ""),
  serialize: toPaymentRequest,
});
