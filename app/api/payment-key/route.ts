import { renewPaymentKey } from "@/lib/agents/account-secret/renew-payment-key";
import { RenewInput } from "@/lib/agents/account-secret/schema";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: RenewInput,
  handle: ({ ctx, body }) => renewPaymentKey(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
