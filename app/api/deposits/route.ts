import { createDeposit } from "@/lib/balances/deposits/create-deposit";
import { CreateDepositInput } from "@/lib/balances/deposits/schema";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: CreateDepositInput,
  handle: ({ ctx, body }) => createDeposit(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
