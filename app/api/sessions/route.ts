import { listSessions } from "@/lib/auth/list-sessions";
import { ListSessionsQuery } from "@/lib/auth/schema";
import { toSessionList } from "@/lib/auth/session-resource";
import { route } from "@/lib/http/route";
import { pageOf } from "@/lib/paging";

export const GET = route({
  auth: "wallet",
  query: ListSessionsQuery,
  handle: async ({ ctx, query }) => pageOf(await listSessions(ctx), query),
  serialize: toSessionList,
});
