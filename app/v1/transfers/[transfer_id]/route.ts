import { route } from "@/lib/http/route";
import { getExactTransfer } from "@/lib/transfers/get-exact-transfer";
import { getTransfer } from "@/lib/transfers/get-transfer";
import { getTransferView } from "@/lib/transfers/get-transfer-view";
import { GetTransferQuery } from "@/lib/transfers/schema";
import { type FoundTransfer, TransferResource, toFoundTransfer } from "@/lib/transfers/transfer-resource";

export const GET = route({
  auth: "apiKey",
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "getTransfer",
    tag: "Transfers",
    summary: "Get a transfer",
    description:
      "Returns a payment that the account or one of its agents sent or received. Amount and memo are not included: decrypt them with the SDK.",
  },
  query: GetTransferQuery,
  responses: { 200: TransferResource },
  handle: async ({ ctx, params: { transfer_id = "" }, query: { include } }): Promise<FoundTransfer> => {
    if (include === "exact") return getExactTransfer(ctx, transfer_id);
    if (include === "encrypted") return { encrypted: await getTransferView(ctx, transfer_id) };
    return { summary: await getTransfer(ctx, transfer_id) };
  },
  serialize: toFoundTransfer,
});
