import { AgentSignersInput } from "@/lib/agents/schema";
import { setAgentSigners } from "@/lib/agents/set-agent-signers";
import { route } from "@/lib/http/route";
import { toOperationResource } from "@/lib/operations/operation-resource";

export const POST = route({
  auth: "session",
  largeBody: true,
  body: AgentSignersInput,
  handle: ({ ctx, body }) => setAgentSigners(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
