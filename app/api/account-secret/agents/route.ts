import { readStaleAgents, toStaleAgents } from "@/lib/agents/account-secret/read-stale";
import { StaleQuery } from "@/lib/agents/account-secret/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  query: StaleQuery,
  handle: ({ ctx, query }) => readStaleAgents(ctx, query),
  serialize: toStaleAgents,
});
