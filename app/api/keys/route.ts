import { route } from "@/lib/http/route";
import { toKeyEntry, toKeyResource } from "@/lib/keys/api-key";
import { createKey } from "@/lib/keys/create-key";
import { listKeys } from "@/lib/keys/list-keys";
import { CreateKeyInput } from "@/lib/keys/schema";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: CreateKeyInput,
  handle: ({ ctx, body }) => createKey(ctx, body),
  status: 201,
  serialize: toKeyResource,
});

export const GET = route({
  auth: "session",
  actsForAgents: true,
  handle: ({ ctx }) => listKeys(ctx),
  serialize: (keys) => ({ keys: keys.map(toKeyEntry) }),
});
