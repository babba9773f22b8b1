import { handInSealed } from "@/lib/budget-secret/hand-in-sealed";
import { SealedInput } from "@/lib/budget-secret/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: SealedInput,
  largeBody: true,
  handle: ({ ctx, body }) => handInSealed(ctx, body),
  serialize: ({ agents, held }) => ({ agents, held }),
});
