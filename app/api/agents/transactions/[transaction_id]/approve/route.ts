import { route } from "@/lib/http/route";
import { toDecidedResource } from "@/lib/payments/approvals/held-resource";
import { ApproveInput } from "@/lib/payments/approvals/schema";
import { approve } from "@/lib/payments/approve";

export const POST = route({
  auth: "session",
  body: ApproveInput,
  handle: ({ ctx, params, body }) => approve(ctx, params.transaction_id ?? "", body),
  serialize: toDecidedResource,
});
