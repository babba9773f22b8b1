import { route } from "@/lib/http/route";
import { toDecidedResource } from "@/lib/payments/approvals/held-resource";
import { reject } from "@/lib/payments/approvals/reject";

export const POST = route({
  auth: "session",
  handle: ({ ctx, params }) => reject(ctx, params.transaction_id ?? ""),
  serialize: toDecidedResource,
});
