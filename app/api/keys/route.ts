import { toKeyEntry, toKeyResource } from "@/lib/accounts/keys/api-key";
import { blindSince } from "@/lib/accounts/keys/blind-since";
import { createKey } from "@/lib/accounts/keys/create-key";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { CreateKeyInput, ListKeysQuery } from "@/lib/accounts/keys/schema";
import { isoTime } from "@/lib/base/clock";
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
  handle: async ({ ctx, query }) => {
    const [keys, since] = await Promise.all([listKeys(ctx), blindSince(ctx)]);
    return { ...pageOf(keys, query), since };
  },
  serialize: ({ entries, hasMore, since }) => ({
    keys: entries.map(toKeyEntry),
    has_more: hasMore,
    blind_since: since && isoTime(since),
  }),
});
