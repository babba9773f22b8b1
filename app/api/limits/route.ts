import { readLimits, toLimits } from "@/lib/agents/owners-policy";
import { codeOfRefused, SIGNED_BODY, SignedInput, UpdatePolicyInput } from "@/lib/agents/schema";
import { leaveLimits, setLimits } from "@/lib/agents/set-limits";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { route } from "@/lib/http/route";

export const GET = route({ auth: "session", handle: ({ ctx }) => readLimits(ctx), serialize: toLimits });

export const PATCH = route({
  auth: "session",
  bodyLimit: SIGNED_BODY,
  body: UpdatePolicyInput,
  invalidBody: codeOfRefused,
  handle: ({ ctx, body }) => setLimits(ctx, body.patch, body.signed),
  serialize: toLimits,
});

export const DELETE = route({
  auth: "session",
  body: SignedInput,
  handle: ({ ctx, body }) => leaveLimits(ctx, body.signed),
  status: 202,
  serialize: toOperationResource,
});
