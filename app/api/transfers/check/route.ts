import { route } from "@/lib/http/route";
import { checkTransfer } from "@/lib/payments/check-transfer";
import { CheckTransferInput } from "@/lib/payments/schema";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: CheckTransferInput,
  handle: ({ ctx, body }) => checkTransfer(ctx, body),
  status: 204,
  serialize: () => null,
});
