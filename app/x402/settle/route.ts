import { route } from "@/lib/http/route";
import { FacilitationInput } from "@/lib/payments/x402/facilitation";
import { settlePayment, toSettleResponse } from "@/lib/payments/x402/settle-payment";

export const POST = route({
  auth: "public",
  limit: "facilitator",
  body: FacilitationInput,
  handle: ({ ctx, body }) => settlePayment(body, ctx),
  serialize: toSettleResponse,
});
