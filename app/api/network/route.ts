import { route } from "@/lib/http/route";
import { describeNetwork, toNetworkResource } from "@/lib/accounts/networks/describe-network";

export const GET = route({
  auth: "public",
  limit: "public",
  handle: ({ ctx }) => describeNetwork(ctx.chainId),
  serialize: toNetworkResource,
});
