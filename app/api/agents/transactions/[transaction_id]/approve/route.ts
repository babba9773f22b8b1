import { approve } from "@/lib/held/approve";
import { toDecidedResource } from "@/lib/held/held-resource";
import { ApproveInput } from "@/lib/held/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: ApproveInput,
  handle: ({ ctx, params, body }) => approve(ctx, params.transaction_id ?? "", body),
  serialize: toDecidedResource,
});
