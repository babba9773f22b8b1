import { createDisclosure } from "@/lib/disclosures/create-disclosure";
import { toDisclosureResource } from "@/lib/disclosures/disclosure-resource";
import { listDisclosures } from "@/lib/disclosures/list-disclosures";
import { CreateDisclosureInput, ListDisclosuresQuery } from "@/lib/disclosures/schema";
import { route } from "@/lib/http/route";
import { pageOf } from "@/lib/paging";

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
