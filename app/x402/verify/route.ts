import { route } from "@/lib/http/route";
import { FacilitationInput } from "@/lib/payments/x402/facilitation";
import { toVerifyResponse, verifyPayment } from "@/lib/payments/x402/verify-payment";

export const POST = route({
  auth: "public",
  limit: "facilitator",
  body: FacilitationInput,
  handle: ({ ctx, body }) => verifyPayment(body, ctx),
  serialize: toVerifyResponse,
});
