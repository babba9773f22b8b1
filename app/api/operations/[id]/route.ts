import { getOperation } from "@/lib/chain/operations/get-operation";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "wallet",
  handle: ({ ctx, params }) => getOperation(ctx, params.id ?? ""),
  serialize: toOperationResource,
});
