import { route } from "@/lib/http/route";
import { getOwnHeld } from "@/lib/transfers/held/get-own-held";
import { toOwnerHeldDetails } from "@/lib/transfers/held/held-resource";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getOwnHeld(ctx, params.transaction_id ?? ""),
  serialize: toOwnerHeldDetails,
});
