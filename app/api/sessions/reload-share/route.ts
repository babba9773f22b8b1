import { ReloadShareInput, reloadShare } from "@/lib/http/auth/reload-share";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "wallet",
  query: ReloadShareInput,
  handle: async ({ ctx, query }) => reloadShare(ctx, query),
  serialize: (share) => ({ ...share }),
});
