import { route } from "@/lib/http/route";
import { WithdrawInput } from "@/lib/transfers/schema";
import { toOwnerTransfer } from "@/lib/transfers/transfer-resource";
import { withdraw } from "@/lib/transfers/withdraw";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: WithdrawInput,
  handle: ({ ctx, body }) => withdraw(ctx, body),
  status: 202,
  serialize: toOwnerTransfer,
});
