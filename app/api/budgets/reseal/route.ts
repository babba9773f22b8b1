import { reseal } from "@/lib/balances/reseal";
import { ResealInput } from "@/lib/balances/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: ResealInput,
  handle: ({ ctx, body }) => reseal(ctx, body),
  serialize: ({ word }) => ({ word }),
});
