import { releaseBalanceLock, takeBalanceLock, toBalanceLockResource } from "@/lib/balances/balance-lock";
import { BalanceLockInput, ReleaseLockInput } from "@/lib/balances/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: BalanceLockInput,
  handle: ({ ctx, body }) => takeBalanceLock(ctx, body),
  status: 201,
  serialize: toBalanceLockResource,
});

export const DELETE = route({
  auth: "session",
  actsForAgents: true,
  body: ReleaseLockInput,
  handle: ({ ctx, body }) => releaseBalanceLock(ctx, body),
  status: 204,
  serialize: () => null,
});
