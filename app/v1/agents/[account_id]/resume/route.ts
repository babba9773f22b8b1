import { AgentResource, toAgentResource } from "@/lib/agents/agent-resource";
import { ResumeInput, SIGNED_BODY } from "@/lib/agents/schema";
import { resumeAgent } from "@/lib/agents/set-status";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: ["key", "session"],
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
  body: ResumeInput,
  bodyLimit: SIGNED_BODY,
  responses: { 200: AgentResource },
  handle: ({ ctx, params, body, beforeCommit }) => resumeAgent(ctx, params.account_id ?? "", body.signed, beforeCommit),
  serialize: toAgentResource,
});
