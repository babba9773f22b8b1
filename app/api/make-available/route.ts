import { makeAvailable } from "@/lib/balances/make-available";
import { MakeAvailableInput } from "@/lib/balances/schema";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: MakeAvailableInput,
  handle: ({ ctx, body }) => makeAvailable(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
