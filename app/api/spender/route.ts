import { renewSpender } from "@/lib/budget-secret/renew-spender";
import { RenewInput } from "@/lib/budget-secret/schema";
import { route } from "@/lib/http/route";
import { toOperationResource } from "@/lib/operations/operation-resource";

export const POST = route({
  auth: "session",
  body: RenewInput,
  handle: ({ ctx, body }) => renewSpender(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
