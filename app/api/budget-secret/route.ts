import { rotateSecret, toRotation } from "@/lib/budget-secret/rotate-secret";
import { RotateInput } from "@/lib/budget-secret/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: RotateInput,
  handle: ({ ctx, body }) => rotateSecret(ctx, body),
  status: 202,
  serialize: toRotation,
});
