import { rotateSecret, toRotation } from "@/lib/agents/account-secret/rotate-secret";
import { RotateInput } from "@/lib/agents/account-secret/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: RotateInput,
  handle: ({ ctx, body }) => rotateSecret(ctx, body),
  status: 202,
  serialize: toRotation,
});
