import { StaleQuery } from "@/lib/agents/account-secret/schema";
import { route } from "@/lib/http/route";
import { toStalePayouts } from "@/lib/payments/payouts/payout-resource";
import { ReencryptPayoutsInput } from "@/lib/payments/payouts/session-schema";
import { readStalePayouts, reencryptPayouts } from "@/lib/payments/payouts/stale-payouts";

export const GET = route({
  auth: "session",
  query: StaleQuery,
  handle: ({ ctx, query }) => readStalePayouts(ctx, query),
  serialize: toStalePayouts,
});

export const POST = route({
  auth: "session",
  body: ReencryptPayoutsInput,
  handle: ({ ctx, body }) => reencryptPayouts(ctx, body),
  serialize: ({ payouts }) => ({ payouts }),
});
