import { SyncInput } from "@/lib/balances/schema";
import { syncBalance } from "@/lib/balances/sync";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: SyncInput,
  handle: ({ ctx, body }) => syncBalance(ctx, body),
  serialize: ({ commitment }) => ({ commitment }),
});
