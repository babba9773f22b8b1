import { toNetworkAccountResource } from "@/lib/accounts/account-resource";
import { getAccount } from "@/lib/accounts/get-account";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "apiKey",
  agentKeys: "allowed",
  handle: ({ ctx }) => getAccount(ctx),
  serialize: toNetworkAccountResource,
});
