import { readOwnersPolicy, toOwnersPolicy } from "@/lib/agents/owners-policy";
import { codeOfRefused, UpdatePolicyInput } from "@/lib/agents/schema";
import { updatePolicy } from "@/lib/agents/update-policy";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => readOwnersPolicy(ctx, params.account_id ?? ""),
  serialize: toOwnersPolicy,
});

export const PATCH = route({
  auth: "session",
  bodyLimit: { kib: 256, values: 5_000 },
  body: UpdatePolicyInput,
  invalidBody: codeOfRefused,
  handle: async ({ ctx, params, body }) => {
    await updatePolicy(ctx, params.account_id ?? "", body.patch, body.signed);
    return readOwnersPolicy(ctx, params.account_id ?? "");
  },
  serialize: toOwnersPolicy,
});
