import { toAgentList, toAgentResource } from "@/lib/agents/agent-resource";
import { listAgents } from "@/lib/agents/list-agents";
import { registerAgent } from "@/lib/agents/register-agent";
import { codeOfRefused, ListAgentsQuery, RegisterAgentInput } from "@/lib/agents/schema";
import { pageOf } from "@/lib/base/paging";
import { route } from "@/lib/http/route";

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
