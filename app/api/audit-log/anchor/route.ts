import { getAnchor, toAnchor } from "@/lib/events/audit/get-anchor";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: ({ ctx }) => getAnchor(ctx),
  serialize: toAnchor,
});
