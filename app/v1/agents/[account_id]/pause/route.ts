import { AgentResource, toAgentResource } from "@/lib/agents/agent-resource";
import { setStatus } from "@/lib/agents/set-status";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "apiKey",
  scope: "agents",
  agentKeys: "not_agent_owner",
  idempotent: true,
  docs: {
    operationId: "pauseAgent",
    tag: "Agents",
    summary: "Pause an agent",
    description: "Pauses the agent: its policy refuses every later payment with `agent_paused`.",
  },
  responses: { 200: AgentResource },
  handle: ({ ctx, params, beforeCommit }) => setStatus(ctx, params.account_id ?? "", "paused", beforeCommit),
  serialize: toAgentResource,
});
