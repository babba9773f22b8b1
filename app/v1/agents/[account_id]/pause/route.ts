import { AgentResource, toAgentResource } from "@/lib/agents/agent-resource";
import { PauseInput, SIGNED_BODY } from "@/lib/agents/schema";
import { pauseAgent } from "@/lib/agents/set-status";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: ["key", "session"],
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
  body: PauseInput,
  bodyLimit: SIGNED_BODY,
  responses: { 200: AgentResource },
  handle: ({ ctx, params, body, beforeCommit }) => pauseAgent(ctx, params.account_id ?? "", body.signed, beforeCommit),
  serialize: toAgentResource,
});
