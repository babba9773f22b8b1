import { route } from "@/lib/http/route";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { listTransfers } from "@/lib/transfers/list-transfers";
import { CreateTransferInput, ListTransfersQuery } from "@/lib/transfers/schema";
import { toTransferList, toTransferResource } from "@/lib/transfers/transfer-resource";

export const POST = route({
  auth: "apiKey",
  agentKeys: "allowed",
  opens: "secret",
  idempotent: true,
  body: CreateTransferInput,
  handle: ({ ctx, body, beforeCommit }) => createTransfer(ctx, body, beforeCommit),
  status: 201,
  serialize: toTransferResource,
});

export const GET = route({
  auth: "apiKey",
  agentKeys: "allowed",
  query: ListTransfersQuery,
  handle: ({ ctx, query }) => listTransfers(ctx, query),
  serialize: toTransferList,
});
