import { toAgentResource } from "@/lib/agents/agent-resource";
import { createAgent } from "@/lib/agents/create-agent";
import { listAgents } from "@/lib/agents/list-agents";
import { CreateAgentInput, codeOfRefused } from "@/lib/agents/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "apiKey",
  agentKeys: "not_agent_owner",
  opens: "secret",
  idempotent: true,
  body: CreateAgentInput,
  invalidBody: codeOfRefused,
  handle: ({ ctx, body, beforeCommit }) => createAgent(ctx, body, beforeCommit),
  status: 201,
  serialize: toAgentResource,
});

export const GET = route({
  auth: "apiKey",
  agentKeys: "not_agent_owner",
  handle: ({ ctx }) => listAgents(ctx),
  serialize: (agents) => ({ agents: agents.map(toAgentResource) }),
});
