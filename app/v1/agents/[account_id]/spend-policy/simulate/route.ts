import { toDecisionList } from "@/lib/agents/agent-resource";
import { codeOfRefused, SimulateInput } from "@/lib/agents/schema";
import { simulatePolicy } from "@/lib/agents/simulate-policy";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "apiKey",
  agentKeys: "allowed",
  idempotent: true,
  body: SimulateInput,
  invalidBody: codeOfRefused,
  handle: ({ ctx, params, body, beforeCommit }) => simulatePolicy(ctx, params.account_id ?? "", body, beforeCommit),
  serialize: toDecisionList,
});
