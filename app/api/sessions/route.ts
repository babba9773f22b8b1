import { pageOf } from "@/lib/base/paging";
import { listSessions } from "@/lib/http/auth/list-sessions";
import { ListSessionsQuery } from "@/lib/http/auth/schema";
import { toSessionList } from "@/lib/http/auth/session-resource";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "wallet",
  query: ListSessionsQuery,
  handle: async ({ ctx, query }) => pageOf(await listSessions(ctx), query),
  serialize: toSessionList,
});
