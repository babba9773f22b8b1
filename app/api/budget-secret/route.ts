import { getSealed, toSealedResource } from "@/lib/budget-secret/get-sealed";
import { rotateSecret } from "@/lib/budget-secret/rotate-secret";
import { RotateInput } from "@/lib/budget-secret/schema";
import { route } from "@/lib/http/route";
import { toOperationResource } from "@/lib/operations/operation-resource";

export const GET = route({
  auth: "session",
  handle: ({ ctx }) => getSealed(ctx),
  serialize: toSealedResource,
});

export const POST = route({
  auth: "session",
  body: RotateInput,
  largeBody: true,
  handle: ({ ctx, body }) => rotateSecret(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
