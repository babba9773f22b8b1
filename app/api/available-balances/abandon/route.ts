import { abandon } from "@/lib/balances/abandon";
import { AbandonInput } from "@/lib/balances/schema";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: AbandonInput,
  handle: ({ ctx, body }) => abandon(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
