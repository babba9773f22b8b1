import { StaleQuery } from "@/lib/budget-secret/schema";
import { route } from "@/lib/http/route";
import { toStalePayouts } from "@/lib/payouts/payout-resource";
import { ResealPayoutsInput } from "@/lib/payouts/session-schema";
import { readStalePayouts, resealPayouts } from "@/lib/payouts/stale-payouts";

export const GET = route({
  auth: "session",
  query: StaleQuery,
  handle: ({ ctx, query }) => readStalePayouts(ctx, query),
  serialize: toStalePayouts,
});

export const POST = route({
  auth: "session",
  body: ResealPayoutsInput,
  handle: ({ ctx, body }) => resealPayouts(ctx, body),
  serialize: ({ payouts }) => ({ payouts }),
});
