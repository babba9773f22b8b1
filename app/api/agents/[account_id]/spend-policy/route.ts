import { toPolicyResource } from "@/lib/agents/agent-resource";
import { getPolicy } from "@/lib/agents/get-policy";
import { updatePolicy } from "@/lib/agents/update-policy";
import { route } from "@/lib/http/route";
import { SpendPolicyPatch } from "@/lib/policy/schema";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getPolicy(ctx, params.account_id ?? ""),
  serialize: toPolicyResource,
});

export const PATCH = route({
  auth: "session",
  body: SpendPolicyPatch,
  invalidBody: "invalid_policy",
  handle: ({ ctx, params, body }) => updatePolicy(ctx, params.account_id ?? "", body),
  serialize: toPolicyResource,
});
