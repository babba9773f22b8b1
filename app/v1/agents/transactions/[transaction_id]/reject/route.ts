import { toDecidedResource } from "@/lib/held/held-resource";
import { reject } from "@/lib/held/reject";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "apiKey",
  agentKeys: "not_agent_owner",
  idempotent: true,
  handle: ({ ctx, params, beforeCommit }) => reject(ctx, params.transaction_id ?? "", beforeCommit),
  serialize: toDecidedResource,
});
