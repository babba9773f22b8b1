import { rotateAccountSecret, toRotation } from "@/lib/agents/account-secret/rotate-secret";
import { RotateInput } from "@/lib/agents/account-secret/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: RotateInput,
  handle: ({ ctx, body }) => rotateAccountSecret(ctx, body),
  status: 202,
  serialize: toRotation,
});
