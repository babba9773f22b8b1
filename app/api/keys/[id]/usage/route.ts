import { keyUsage } from "@/lib/accounts/keys/key-usage";
import { KeyUsageQuery } from "@/lib/accounts/keys/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  query: KeyUsageQuery,
  handle: ({ ctx, params, query }) => keyUsage(ctx, params.id ?? "", query.days),
  serialize: (days) => ({ days }),
});
