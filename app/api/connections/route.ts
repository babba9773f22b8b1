import { pageOf } from "@/lib/base/paging";
import { toConnectionResource } from "@/lib/http/connections/connection-resource";
import { createConnection } from "@/lib/http/connections/create-connection";
import { listConnections } from "@/lib/http/connections/list-connections";
import { CreateConnectionInput, ListConnectionsQuery } from "@/lib/http/connections/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: CreateConnectionInput,
  handle: ({ ctx, body }) => createConnection(ctx, body),
  status: 201,
  serialize: ({ id }) => ({ connection_id: id }),
});

export const GET = route({
  auth: "session",
  actsForAgents: true,
  query: ListConnectionsQuery,
  handle: async ({ ctx, query }) => pageOf(await listConnections(ctx), query),
  serialize: ({ entries, hasMore }) => ({ connections: entries.map(toConnectionResource), has_more: hasMore }),
});
