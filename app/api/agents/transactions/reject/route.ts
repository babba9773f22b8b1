import { route } from "@/lib/http/route";
import { rejectAll } from "@/lib/transfers/held/reject-all";
import { RejectAllInput } from "@/lib/transfers/held/schema";

export const POST = route({
  auth: "session",
  body: RejectAllInput,
  handle: ({ ctx, body }) => rejectAll(ctx, body),
  serialize: ({ rejected, hasMore }) => ({ rejected, has_more: hasMore }),
});
