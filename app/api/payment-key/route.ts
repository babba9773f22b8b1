import { relayPaymentKey } from "@/lib/agents/account-secret/relay-payment-key";
import { PaymentKeyInput } from "@/lib/agents/account-secret/schema";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: PaymentKeyInput,
  handle: ({ ctx, body }) => relayPaymentKey(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
