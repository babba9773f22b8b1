import { AgentList, AgentResource, toAgentList, toAgentResource } from "@/lib/agents/agent-resource";
import { createAgent } from "@/lib/agents/create-agent";
import { listAgents } from "@/lib/agents/list-agents";
import { CreateAgentInput, codeOfRefused, ListAgentsQuery, SIGNED_BODY } from "@/lib/agents/schema";
import { pageOf } from "@/lib/base/paging";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: ["key", "session"],
  scope: "agents",
  agentKeys: "not_agent_owner",
  opens: "secret",
  docs: {
    operationId: "createAgent",
    tag: "Agents",
    summary: "Create an agent",
    description:
      "Creates an agent with its own wallet and spend policy. Policies deny by default: an omitted limit is 0, an empty recipient list allows no one, and every payment needs approval.",
    errors: ["key_forbidden", "handle_taken", "available_balance_changed"],
  },
  idempotent: true,
  body: CreateAgentInput,
  bodyLimit: SIGNED_BODY,
  invalidBody: codeOfRefused,
  handle: ({ ctx, body, beforeCommit }) => createAgent(ctx, body, beforeCommit),
  responses: { 201: AgentResource },
  serialize: toAgentResource,
});

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  agentKeys: "not_agent_owner",
  docs: {
    operationId: "listAgents",
    tag: "Agents",
    summary: "List agents",
    description: "Returns the agents of the account, oldest first: all of them, or a page with `limit`.",
  },
  responses: { 200: AgentList },
  query: ListAgentsQuery,
  handle: async ({ ctx, query }) => pageOf(await listAgents(ctx), query),
  serialize: toAgentList,
});
