import { SetGuardedInput } from "@/lib/agents/schema";
import { setGuarded } from "@/lib/agents/set-guarded";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: SetGuardedInput,
  handle: ({ ctx, body }) => setGuarded(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
