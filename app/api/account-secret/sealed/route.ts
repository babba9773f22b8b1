import { SealedInput } from "@/lib/agents/account-secret/schema";
import { submitSealed } from "@/lib/agents/account-secret/submit-sealed";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: SealedInput,
  bodyLimit: { kib: 512, values: 1_000 },
  handle: ({ ctx, body }) => submitSealed(ctx, body),
  serialize: ({ held }) => ({ held }),
});
