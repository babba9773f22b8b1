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
    description: "From the next payment on, the policy refuses all with `agent_paused`.",
  },
  answers: { 200: AgentResource },
  handle: ({ ctx, params, beforeCommit }) => setStatus(ctx, params.account_id ?? "", "paused", beforeCommit),
  serialize: toAgentResource,
});
