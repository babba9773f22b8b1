import { readBalances } from "@/lib/balances/read-balances";
import { BalancesInput } from "@/lib/balances/schema";
import { route } from "@/lib/http/route";

// Browsers and `fetch` cannot send a body with GET, so POST does the same.
const balances = route({
  auth: "apiKey",
  agentKeys: "allowed",
  opens: "flag",
  body: BalancesInput,
  handle: ({ ctx, body }) => readBalances(ctx, body),
  serialize: (held) => held,
});

export const GET = balances;
export const POST = balances;
