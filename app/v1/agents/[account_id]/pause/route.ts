import { toAgentResource } from "@/lib/agents/agent-resource";
import { setStatus } from "@/lib/agents/set-status";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "apiKey",
  agentKeys: "not_agent_owner",
  idempotent: true,
  handle: ({ ctx, params, beforeCommit }) => setStatus(ctx, params.account_id ?? "", "paused", beforeCommit),
  serialize: toAgentResource,
});
