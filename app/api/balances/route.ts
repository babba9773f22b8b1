import { readBalances } from "@/lib/balances/read-balances";
import { BalancesInput } from "@/lib/balances/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: BalancesInput,
  handle: ({ ctx, body }) => readBalances(ctx, body),
  serialize: (balances) => balances,
});
