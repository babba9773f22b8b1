import { createDisclosure } from "@/lib/accounts/shared-views/create-disclosure";
import { toDisclosureResource } from "@/lib/accounts/shared-views/disclosure-resource";
import { listDisclosures } from "@/lib/accounts/shared-views/list-disclosures";
import { CreateDisclosureInput, ListDisclosuresQuery } from "@/lib/accounts/shared-views/schema";
import { pageOf } from "@/lib/base/paging";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  query: ListDisclosuresQuery,
  handle: async ({ ctx, query }) => pageOf(await listDisclosures(ctx), query),
  serialize: ({ entries, hasMore }) => ({ disclosures: entries.map(toDisclosureResource), has_more: hasMore }),
});

export const POST = route({
  auth: "session",
  body: CreateDisclosureInput,
  bodyLimit: { kib: 2 * 1024, values: 100 },
  handle: ({ ctx, body }) => createDisclosure(ctx, body),
  status: 201,
  serialize: toDisclosureResource,
});
