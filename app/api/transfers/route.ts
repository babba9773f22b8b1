import { route } from "@/lib/http/route";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { paidTransfer } from "@/lib/transfers/created-transfer";
import { listTransfers } from "@/lib/transfers/list-transfers";
import { CreateTransferInput, ListTransfersQuery } from "@/lib/transfers/schema";
import { toOwnerTransfer, toOwnerTransferList } from "@/lib/transfers/transfer-resource";

export const POST = route({
  auth: "session",
  actsForAgents: true,
  body: CreateTransferInput,
  handle: ({ ctx, body }) => createTransfer(ctx, body),
  status: 201,
  serialize: (created) => toOwnerTransfer(paidTransfer(created)),
});

export const GET = route({
  auth: "session",
  actsForAgents: true,
  query: ListTransfersQuery,
  handle: ({ ctx, query }) => listTransfers(ctx, query),
  serialize: toOwnerTransferList,
});
