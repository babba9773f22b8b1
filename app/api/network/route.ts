import { describeNetwork, toNetworkResource } from "@/lib/accounts/networks/describe-network";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "public",
  limit: "public",
  handle: ({ ctx }) => describeNetwork(ctx.chainId),
  serialize: toNetworkResource,
});
