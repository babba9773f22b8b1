import { getOwnHeld } from "@/lib/held/get-own-held";
import { toOwnerHeldDetails } from "@/lib/held/held-resource";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getOwnHeld(ctx, params.transaction_id ?? ""),
  serialize: toOwnerHeldDetails,
});
