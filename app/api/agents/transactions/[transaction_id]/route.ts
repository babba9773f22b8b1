import { findHeld } from "@/lib/held/find-held";
import { toOwnerHeldDetails } from "@/lib/held/held-resource";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => findHeld(ctx, params.transaction_id ?? ""),
  serialize: toOwnerHeldDetails,
});
