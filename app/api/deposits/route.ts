import { createDeposit } from "@/lib/deposits/create-deposit";
import { CreateDepositInput } from "@/lib/deposits/schema";
import { route } from "@/lib/http/route";
import { toOperationResource } from "@/lib/operations/operation-resource";

export const POST = route({
  auth: "session",
  body: CreateDepositInput,
  handle: ({ ctx, body }) => createDeposit(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
