import { route } from "@/lib/http/route";
import { toDecidedResource } from "@/lib/transfers/held/held-resource";
import { reject } from "@/lib/transfers/held/reject";

export const POST = route({
  auth: "session",
  handle: ({ ctx, params }) => reject(ctx, params.transaction_id ?? ""),
  serialize: toDecidedResource,
});
