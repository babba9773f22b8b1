import { AgentResource, toAgentResource } from "@/lib/agents/agent-resource";
import { setStatus } from "@/lib/agents/set-status";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "apiKey",
  scope: "agents",
  agentKeys: "not_agent_owner",
  idempotent: true,
  docs: {
    operationId: "resumeAgent",
    tag: "Agents",
    summary: "Resume an agent",
    description: "Ends a pause.",
  },
  answers: { 200: AgentResource },
  handle: ({ ctx, params, beforeCommit }) => setStatus(ctx, params.account_id ?? "", "active", beforeCommit),
  serialize: toAgentResource,
});
