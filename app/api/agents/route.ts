import { toAgentList, toAgentResource } from "@/lib/agents/agent-resource";
import { listAgents } from "@/lib/agents/list-agents";
import { registerAgent } from "@/lib/agents/register-agent";
import { codeOfRefused, ListAgentsQuery, RegisterAgentInput } from "@/lib/agents/schema";
import { route } from "@/lib/http/route";
import { pageOf } from "@/lib/base/paging";

export const POST = route({
  auth: "session",
  bodyLimit: { kib: 256, values: 5_000 },
  body: RegisterAgentInput,
  invalidBody: codeOfRefused,
  handle: ({ ctx, body }) => registerAgent(ctx, body),
  status: 201,
  serialize: toAgentResource,
});

export const GET = route({
  auth: "session",
  query: ListAgentsQuery,
  handle: async ({ ctx, query }) => pageOf(await listAgents(ctx), query),
  serialize: toAgentList,
});
