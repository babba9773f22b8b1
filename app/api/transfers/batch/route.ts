import { route } from "@/lib/http/route";
import { createPreparedBatch } from "@/lib/transfers/create-prepared-batch";
import { BatchInput } from "@/lib/transfers/schema";
import { toOwnerTransfer } from "@/lib/transfers/transfer-resource";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: BatchInput,
  handle: ({ ctx, body }) => createPreparedBatch(ctx, body),
  status: 201,
  serialize: (views) => ({ transfers: views.map(toOwnerTransfer) }),
});
