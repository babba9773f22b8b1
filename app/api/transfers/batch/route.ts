import { route } from "@/lib/http/route";
import { createClientSignedBatch } from "@/lib/payments/create-client-signed-batch";
import { BatchInput } from "@/lib/payments/schema";
import { toEncryptedTransfer } from "@/lib/payments/transfer-resource";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: BatchInput,
  handle: ({ ctx, body }) => createClientSignedBatch(ctx, body),
  status: 201,
  serialize: (views) => ({ transfers: views.map(toEncryptedTransfer) }),
});
