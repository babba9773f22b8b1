import { route } from "@/lib/http/route";
import { WithdrawInput } from "@/lib/payments/schema";
import { toEncryptedTransfer } from "@/lib/payments/transfer-resource";
import { withdraw } from "@/lib/payments/withdraw";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: WithdrawInput,
  handle: ({ ctx, body }) => withdraw(ctx, body),
  status: 202,
  serialize: toEncryptedTransfer,
});
