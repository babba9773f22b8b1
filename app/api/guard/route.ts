import { SetGuardedInput } from "@/lib/agents/schema";
import { setGuarded } from "@/lib/agents/set-guarded";
import { route } from "@/lib/http/route";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";

export const POST = route({
  auth: "session",
  body: SetGuardedInput,
  handle: ({ ctx, body }) => setGuarded(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
