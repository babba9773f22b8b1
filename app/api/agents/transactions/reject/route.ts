import { rejectAll } from "@/lib/held/reject-all";
import { RejectAllInput } from "@/lib/held/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: RejectAllInput,
  handle: ({ ctx, body }) => rejectAll(ctx, body),
  serialize: ({ rejected, hasMore }) => ({ rejected, has_more: hasMore }),
});
