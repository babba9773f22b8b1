import { route } from "@/lib/http/route";
import { checkNames } from "@/lib/payments/payouts/check-names";
import { CheckNamesInput } from "@/lib/payments/payouts/session-schema";

export const POST = route({
  auth: "session",
  body: CheckNamesInput,
  bodyLimit: { kib: 1024, values: 6_000 },
  handle: ({ ctx, body }) => checkNames(ctx, body),
  serialize: (names) => ({ names }),
});
