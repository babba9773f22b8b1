import { PolicyResource } from "@/lib/agents/agent-resource";
import { getPolicy } from "@/lib/agents/get-policy";
import { readOwnersPolicy, toPolicy } from "@/lib/agents/owners-policy";
import { codeOfRefused, PolicyQuery, SIGNED_BODY, UpdatePolicyInput } from "@/lib/agents/schema";
import { updatePolicy } from "@/lib/agents/update-policy";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "getSpendPolicy",
    tag: "Agents",
    summary: "Get a spend policy",
    description:
      "Returns the spend policy in force. An agent's key can read its own, without what the ledger has of it.",
    errors: ["not_agent_owner"],
  },
  query: PolicyQuery,
  responses: { 200: PolicyResource },
  handle: ({ ctx, params, query: { include } }) =>
    (include ? readOwnersPolicy : getPolicy)(ctx, params.account_id ?? ""),
  serialize: toPolicy,
});

export const PATCH = route({
  auth: ["key", "session"],
  scope: "agents",
  agentKeys: "not_agent_owner",
  opens: "secret",
  body: UpdatePolicyInput,
  bodyLimit: SIGNED_BODY,
  invalidBody: codeOfRefused,
  docs: {
    operationId: "updateSpendPolicy",
    tag: "Agents",
    summary: "Change a spend policy",
    description:
      "Changes the fields you send and returns the whole policy. It applies to every later payment. `limits` is one field: send all limits or none. Of a guarded account, only the wallet changes policies.",
    errors: ["policy_not_in_force"],
  },
  query: PolicyQuery,
  responses: { 200: PolicyResource },
  handle: async ({ ctx, params, body, query: { include } }) => {
    const view = await updatePolicy(ctx, params.account_id ?? "", body.patch, body.signed);
    return include ? readOwnersPolicy(ctx, params.account_id ?? "") : view;
  },
  serialize: toPolicy,
});
