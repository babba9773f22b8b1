import { toKeyEntry, toKeyResource } from "@/lib/accounts/keys/api-key";
import { createKey } from "@/lib/accounts/keys/create-key";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { CreateKeyInput, ListKeysQuery } from "@/lib/accounts/keys/schema";
import { pageOf } from "@/lib/base/paging";
import { route } from "@/lib/http/route";

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
  query: ListKeysQuery,
  handle: async ({ ctx, query }) => pageOf(await listKeys(ctx), query),
  serialize: ({ entries, hasMore }) => ({ keys: entries.map(toKeyEntry), has_more: hasMore }),
});
