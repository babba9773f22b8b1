import { toAgentResource } from "@/lib/agents/agent-resource";
import { registerAgent } from "@/lib/agents/register-agent";
import { codeOfRefused, RegisterAgentInput } from "@/lib/agents/schema";
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
