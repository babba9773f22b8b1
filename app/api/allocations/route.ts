import { allocate } from "@/lib/balances/allocate";
import { AllocateInput } from "@/lib/balances/schema";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: AllocateInput,
  handle: ({ ctx, body }) => allocate(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
