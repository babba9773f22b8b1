import { DecisionList, toDecisionList } from "@/lib/agents/agent-resource";
import { codeOfRefused, SimulateInput } from "@/lib/agents/schema";
import { simulatePolicy } from "@/lib/agents/simulate-policy";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: ["key", "session"],
  scope: "read",
  agentKeys: "allowed",
  idempotent: true,
  body: SimulateInput,
  invalidBody: codeOfRefused,
  docs: {
    operationId: "simulateSpendPolicy",
    tag: "Agents",
    summary: "Simulate a spend policy",
    description:
      "Evaluates payments one after the other against the stored policy and, if you send `spend_policy`, your changes to it. Nothing is changed, paid or recorded.",
    errors: ["not_agent_owner", "recipient_not_found"],
  },
  responses: { 200: DecisionList },
  handle: ({ ctx, params, body, beforeCommit }) => simulatePolicy(ctx, params.account_id ?? "", body, beforeCommit),
  serialize: toDecisionList,
});
