import { listRequests } from "@/lib/accounts/request-log/list-requests";
import { LoggedRequestList, toRequestList } from "@/lib/accounts/request-log/request-resource";
import { ListRequestsQuery } from "@/lib/accounts/request-log/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  docs: {
    operationId: "listRequests",
    tag: "Request log",
    summary: "List requests",
    description:
      "Lists the requests of the account's and its agents' API keys, newest first: of the last 7 days, at most the newest 100,000. A request is listed within seconds of its response. Requests for this list are not in it.",
  },
  responses: { 200: LoggedRequestList },
  query: ListRequestsQuery,
  handle: ({ ctx, query }) => listRequests(ctx, query),
  serialize: toRequestList,
});
