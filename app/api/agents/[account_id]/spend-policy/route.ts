import { toPolicyResource } from "@/lib/agents/agent-resource";
import { getPolicy } from "@/lib/agents/get-policy";
import { UpdatePolicyInput } from "@/lib/agents/schema";
import { updatePolicy } from "@/lib/agents/update-policy";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getPolicy(ctx, params.account_id ?? ""),
  serialize: toPolicyResource,
});

export const PATCH = route({
  auth: "session",
  body: UpdatePolicyInput,
  invalidBody: "invalid_policy",
  handle: ({ ctx, params, body }) => updatePolicy(ctx, params.account_id ?? "", body.patch, body.consent),
  serialize: toPolicyResource,
});
