import { toAgentResource } from "@/lib/agents/agent-resource";
import { listAgents } from "@/lib/agents/list-agents";
import { registerAgent } from "@/lib/agents/register-agent";
import { codeOfRefused, RegisterAgentInput } from "@/lib/agents/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  largeBody: true,
  body: RegisterAgentInput,
  invalidBody: codeOfRefused,
  handle: ({ ctx, body }) => registerAgent(ctx, body),
  status: 201,
  serialize: toAgentResource,
});

export const GET = route({
  auth: "session",
  handle: ({ ctx }) => listAgents(ctx),
  serialize: (agents) => ({ agents: agents.map(toAgentResource) }),
});
