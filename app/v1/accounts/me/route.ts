import { NetworkAccountResource, toNetworkAccountResource } from "@/lib/accounts/account-resource";
import { getAccount } from "@/lib/accounts/get-account";
import { AccountQuery } from "@/lib/accounts/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "getAccount",
    tag: "Accounts",
    summary: "Get the key's account",
    description: "Returns the account that the API key belongs to. For an agent's key, that is the agent.",
    errors: ["not_agent_owner"],
  },
  query: AccountQuery,
  responses: { 200: NetworkAccountResource },
  handle: ({ ctx, query }) => getAccount(ctx, query),
  serialize: toNetworkAccountResource,
});
