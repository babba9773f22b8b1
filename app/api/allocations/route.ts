import { allocate } from "@/lib/budgets/allocate";
import { AllocateInput } from "@/lib/budgets/schema";
import { route } from "@/lib/http/route";
import { toOperationResource } from "@/lib/operations/operation-resource";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: AllocateInput,
  handle: ({ ctx, body }) => allocate(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
