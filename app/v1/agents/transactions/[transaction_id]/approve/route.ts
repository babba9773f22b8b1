import { approve } from "@/lib/held/approve";
import { toDecidedResource } from "@/lib/held/held-resource";
import { ApproveInput } from "@/lib/held/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "apiKey",
  agentKeys: "not_agent_owner",
  opens: "secret",
  idempotent: true,
  body: ApproveInput,
  handle: ({ ctx, params, body, beforeCommit }) => approve(ctx, params.transaction_id ?? "", body, beforeCommit),
  serialize: toDecidedResource,
});
