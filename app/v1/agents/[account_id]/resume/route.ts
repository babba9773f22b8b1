import { AgentResource, toAgentResource } from "@/lib/agents/agent-resource";
import { resumeAgent } from "@/lib/agents/set-status";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "key",
  scope: "agents",
  agentKeys: "not_agent_owner",
  opens: "secret",
  idempotent: true,
  docs: {
    operationId: "resumeAgent",
    tag: "Agents",
    summary: "Resume an agent",
    description:
      "Resumes a paused agent: its policy applies again. Of a guarded account, only the wallet resumes agents.",
    errors: ["policy_not_in_force"],
  },
  responses: { 200: AgentResource },
  handle: ({ ctx, params, beforeCommit }) => resumeAgent(ctx, params.account_id ?? "", undefined, beforeCommit),
  serialize: toAgentResource,
});
