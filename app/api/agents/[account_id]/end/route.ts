import { toAgentResource } from "@/lib/agents/agent-resource";
import { endAgent } from "@/lib/agents/end-agent";
import { EndAgentInput } from "@/lib/agents/schema";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: EndAgentInput,
  handle: ({ ctx, params, body }) => endAgent(ctx, params.account_id ?? "", body),
  status: 202,
  serialize: ({ agent, operation }) => ({ ...toAgentResource(agent), operation: toOperationResource(operation) }),
});
