import { route } from "@/lib/http/route";
import { approve } from "@/lib/payments/approve";
import { toDecidedResource } from "@/lib/payments/approvals/held-resource";
import { ApproveInput } from "@/lib/payments/approvals/schema";

export const POST = route({
  auth: "session",
  body: ApproveInput,
  handle: ({ ctx, params, body }) => approve(ctx, params.transaction_id ?? "", body),
  serialize: toDecidedResource,
});
