import { route } from "@/lib/http/route";
import { rejectAll } from "@/lib/payments/approvals/reject-all";
import { RejectAllInput } from "@/lib/payments/approvals/schema";

export const POST = route({
  auth: "session",
  body: RejectAllInput,
  handle: ({ ctx, body }) => rejectAll(ctx, body),
  serialize: ({ rejected, hasMore }) => ({ rejected, has_more: hasMore }),
});
