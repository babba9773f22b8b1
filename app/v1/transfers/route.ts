import { route } from "@/lib/http/route";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { toCreatedResource } from "@/lib/transfers/created-resource";
import { listTransfers } from "@/lib/transfers/list-transfers";
import { CreateTransferInput, CreateTransferQuery, ListTransfersQuery } from "@/lib/transfers/schema";
import { toTransferList } from "@/lib/transfers/transfer-resource";
import { tryTransfer } from "@/lib/transfers/try-transfer";

const STATUS = { paid: 201, held: 202, tried: 200 } as const;

export const POST = route({
  auth: "apiKey",
  agentKeys: "allowed",
  opens: "secret",
  idempotent: ({ dry_run }) => !dry_run,
  body: CreateTransferInput,
  query: CreateTransferQuery,
  handle: ({ ctx, body, query, beforeCommit }) =>
    query.dry_run ? tryTransfer(ctx, body) : createTransfer(ctx, body, beforeCommit),
  status: ({ outcome }) => STATUS[outcome],
  serialize: toCreatedResource,
});

export const GET = route({
  auth: "apiKey",
  agentKeys: "allowed",
  query: ListTransfersQuery,
  handle: ({ ctx, query }) => listTransfers(ctx, query),
  serialize: toTransferList,
});
