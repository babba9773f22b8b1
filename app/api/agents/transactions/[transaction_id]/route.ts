import { route } from "@/lib/http/route";
import { getOwnHeld } from "@/lib/payments/approvals/get-own-held";
import { toOwnerHeldDetails } from "@/lib/payments/approvals/held-resource";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getOwnHeld(ctx, params.transaction_id ?? ""),
  serialize: toOwnerHeldDetails,
});
