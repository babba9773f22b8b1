import { toAgentResource } from "@/lib/agents/agent-resource";
import { SignedInput } from "@/lib/agents/schema";
import { resumeAgent } from "@/lib/agents/set-status";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  bodyLimit: { kib: 256, values: 5_000 },
  body: SignedInput,
  handle: ({ ctx, params, body }) => resumeAgent(ctx, params.account_id ?? "", body.signed),
  serialize: toAgentResource,
});
