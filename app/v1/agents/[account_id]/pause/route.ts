import { AgentResource, toAgentResource } from "@/lib/agents/agent-resource";
import { pauseAgent } from "@/lib/agents/set-status";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "key",
  scope: "agents",
  agentKeys: "not_agent_owner",
  opens: "secret",
  idempotent: true,
  docs: {
    operationId: "pauseAgent",
    tag: "Agents",
    summary: "Pause an agent",
    description: "Pauses the agent: its policy refuses every later payment with `agent_paused`.",
  },
  responses: { 200: AgentResource },
  handle: ({ ctx, params, beforeCommit }) => pauseAgent(ctx, params.account_id ?? "", undefined, beforeCommit),
  serialize: toAgentResource,
});
