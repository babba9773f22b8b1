import { route } from "@/lib/http/route";
import { PlanInput, PlanResource, planPayment, toPlanResource } from "@/lib/payments/blind/plan-payment";

export const POST = route({
  auth: "key",
  scope: "pay",
  agentKeys: "allowed",
  docs: {
    operationId: "planTransfer",
    tag: "Transfers",
    summary: "Plan a payment with a home key",
    description:
      "Returns the encrypted available balance and the recipient's address, from which a client with a home key builds a payment on its own machine. The SDK calls it by itself. It changes nothing, except that with `lock` others wait for your payment.",
    errors: ["key_forbidden", "recipient_not_found", "sync_required"],
  },
  body: PlanInput,
  responses: { 200: PlanResource },
  handle: ({ ctx, body }) => planPayment(ctx, body),
  serialize: toPlanResource,
});
