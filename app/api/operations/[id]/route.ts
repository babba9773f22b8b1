import { route } from "@/lib/http/route";
import { getOperation } from "@/lib/chain/operations/get-operation";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";

export const GET = route({
  auth: "wallet",
  handle: ({ ctx, params }) => getOperation(ctx, params.id ?? ""),
  serialize: toOperationResource,
});
