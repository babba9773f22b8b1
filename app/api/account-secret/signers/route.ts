import { AgentSignersInput } from "@/lib/agents/schema";
import { setAgentSigners } from "@/lib/agents/set-agent-signers";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  bodyLimit: { kib: 256, values: 5_000 },
  body: AgentSignersInput,
  handle: ({ ctx, body }) => setAgentSigners(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
