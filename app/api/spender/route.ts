import { renewSpender } from "@/lib/agents/account-secret/renew-spender";
import { RenewInput } from "@/lib/agents/account-secret/schema";
import { route } from "@/lib/http/route";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";

export const POST = route({
  auth: "session",
  body: RenewInput,
  handle: ({ ctx, body }) => renewSpender(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
