import { toDecidedResource } from "@/lib/held/held-resource";
import { reject } from "@/lib/held/reject";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  handle: ({ ctx, params }) => reject(ctx, params.transaction_id ?? ""),
  serialize: toDecidedResource,
});
