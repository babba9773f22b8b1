import { route } from "@/lib/http/route";
import { createTransfer } from "@/lib/payments/create-transfer";
import { listOwnTransfers } from "@/lib/payments/list-own-transfers";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { CreateTransferInput, ListOwnTransfersQuery } from "@/lib/payments/schema";
import { toOwnerTransfer, toOwnerTransferList } from "@/lib/payments/transfer-resource";

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
