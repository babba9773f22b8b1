import { route } from "@/lib/http/route";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { listOwnTransfers } from "@/lib/transfers/list-own-transfers";
import { paidTransfer } from "@/lib/transfers/paid-transfer";
import { CreateTransferInput, ListOwnTransfersQuery } from "@/lib/transfers/schema";
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
  query: ListOwnTransfersQuery,
  handle: ({ ctx, query }) => listOwnTransfers(ctx, query),
  serialize: toOwnerTransferList,
});
