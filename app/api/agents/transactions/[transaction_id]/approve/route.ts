import { route } from "@/lib/http/route";
import { approve } from "@/lib/transfers/approve";
import { toDecidedResource } from "@/lib/transfers/held/held-resource";
import { ApproveInput } from "@/lib/transfers/held/schema";

export const POST = route({
  auth: "session",
  body: ApproveInput,
  handle: ({ ctx, params, body }) => approve(ctx, params.transaction_id ?? "", body),
  serialize: toDecidedResource,
});
