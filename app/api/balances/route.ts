import { readBalances } from "@/lib/balances/proven/read-balances";
import { BalancesInput, costOfBalances } from "@/lib/balances/proven/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: BalancesInput,
  cost: costOfBalances,
  handle: ({ ctx, body }) => readBalances(ctx, body),
  serialize: (balances) => balances,
});
