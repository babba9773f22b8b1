import { toAgentResource } from "@/lib/agents/agent-resource";
import { setStatus } from "@/lib/agents/set-status";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  handle: ({ ctx, params }) => setStatus(ctx, params.account_id ?? "", "active"),
  serialize: toAgentResource,
});
