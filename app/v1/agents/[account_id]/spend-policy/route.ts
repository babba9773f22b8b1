import { PolicyResource, toPolicyResource } from "@/lib/agents/agent-resource";
import { getPolicy } from "@/lib/agents/get-policy";
import { updatePolicy } from "@/lib/agents/update-policy";
import { route } from "@/lib/http/route";
import { SpendPolicyPatch } from "@/lib/policy/schema";

export const GET = route({
  auth: "key",
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "getSpendPolicy",
    tag: "Agents",
    summary: "Get a spend policy",
    description: "Returns the spend policy in force. An agent's key can read its own.",
    errors: ["not_agent_owner"],
  },
  responses: { 200: PolicyResource },
  handle: ({ ctx, params }) => getPolicy(ctx, params.account_id ?? ""),
  serialize: toPolicyResource,
});

export const PATCH = route({
  auth: "key",
  scope: "agents",
  agentKeys: "not_agent_owner",
  opens: "secret",
  body: SpendPolicyPatch,
  invalidBody: "invalid_policy",
  docs: {
    operationId: "updateSpendPolicy",
    tag: "Agents",
    summary: "Change a spend policy",
    description:
      "Changes the fields you send and returns the whole policy. It applies to every later payment. `limits` is one field: send all limits or none. Of a guarded account, only the wallet changes policies.",
    errors: ["policy_not_in_force"],
  },
  responses: { 200: PolicyResource },
  handle: ({ ctx, params, body }) => updatePolicy(ctx, params.account_id ?? "", body),
  serialize: toPolicyResource,
});
