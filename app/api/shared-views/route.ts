import { createSharedView } from "@/lib/accounts/shared-views/create-shared-view";
import { listSharedViews } from "@/lib/accounts/shared-views/list-shared-views";
import { CreateSharedViewInput, ListSharedViewsQuery } from "@/lib/accounts/shared-views/schema";
import { toSharedViewResource } from "@/lib/accounts/shared-views/shared-view-resource";
import { pageOf } from "@/lib/base/paging";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  query: ListSharedViewsQuery,
  handle: async ({ ctx, query }) => pageOf(await listSharedViews(ctx), query),
  serialize: ({ entries, hasMore }) => ({ shared_views: entries.map(toSharedViewResource), has_more: hasMore }),
});

export const POST = route({
  auth: "session",
  body: CreateSharedViewInput,
  bodyLimit: { kib: 2 * 1024, values: 100 },
  handle: ({ ctx, body }) => createSharedView(ctx, body),
  status: 201,
  serialize: toSharedViewResource,
});
