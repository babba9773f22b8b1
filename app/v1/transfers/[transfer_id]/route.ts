import { route } from "@/lib/http/route";
import { getTransfer } from "@/lib/transfers/get-transfer";
import { TransferResource, toTransferResource } from "@/lib/transfers/transfer-resource";

export const GET = route({
  auth: "apiKey",
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "getTransfer",
    tag: "Transfers",
    summary: "Get a transfer",
  },
  answers: { 200: TransferResource },
  handle: ({ ctx, params }) => getTransfer(ctx, params.transfer_id ?? ""),
  serialize: toTransferResource,
});
