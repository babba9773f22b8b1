import { findHeld } from "@/lib/held/find-held";
import { toHeldDetails } from "@/lib/held/held-resource";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "apiKey",
  agentKeys: "allowed",
  handle: ({ ctx, params }) => findHeld(ctx, params.transaction_id ?? ""),
  serialize: toHeldDetails,
});
