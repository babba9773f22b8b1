import { EncryptedInput } from "@/lib/agents/account-secret/schema";
import { submitEncrypted } from "@/lib/agents/account-secret/submit-encrypted";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: EncryptedInput,
  bodyLimit: { kib: 512, values: 1_000 },
  handle: ({ ctx, body }) => submitEncrypted(ctx, body),
  serialize: ({ held }) => ({ held }),
});
