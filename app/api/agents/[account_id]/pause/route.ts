import { toAgentResource } from "@/lib/agents/agent-resource";
import { PauseInput } from "@/lib/agents/schema";
import { pauseAgent } from "@/lib/agents/set-status";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  bodyLimit: { kib: 256, values: 5_000 },
  body: PauseInput,
  handle: ({ ctx, params, body }) => pauseAgent(ctx, params.account_id ?? "", body.signed),
  serialize: toAgentResource,
});
