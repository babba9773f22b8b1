import { abandon } from "@/lib/budgets/abandon";
import { AbandonInput } from "@/lib/budgets/schema";
import { route } from "@/lib/http/route";
import { toOperationResource } from "@/lib/operations/operation-resource";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: AbandonInput,
  handle: ({ ctx, body }) => abandon(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
