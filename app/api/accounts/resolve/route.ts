import { resolveAccount } from "@/lib/accounts/resolve-account";
import { ResolveQuery } from "@/lib/accounts/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  query: ResolveQuery,
  handle: ({ ctx, query }) => resolveAccount(ctx, query.to),
  serialize: ({ address, account, viewingKey }) => ({
    address,
    handle: account && `@${account.handle}`,
    viewing_key: viewingKey,
  }),
});
