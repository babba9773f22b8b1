import { dropLease, takeLease, toLeaseResource } from "@/lib/balances/lease";
import { DropLeaseInput, LeaseInput } from "@/lib/balances/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: LeaseInput,
  handle: ({ ctx, body }) => takeLease(ctx, body),
  status: 201,
  serialize: toLeaseResource,
});

export const DELETE = route({
  auth: "session",
  actsForAgents: true,
  body: DropLeaseInput,
  handle: ({ ctx, body }) => dropLease(ctx, body),
  status: 204,
  serialize: () => null,
});
