import { route } from "@/lib/http/route";
import { getExactTransfer } from "@/lib/payments/get-exact-transfer";
import { getOwnTransfer } from "@/lib/payments/get-own-transfer";
import { getTransfer } from "@/lib/payments/get-transfer";
import { getTransferView } from "@/lib/payments/get-transfer-view";
import { GetTransferQuery } from "@/lib/payments/schema";
import { type FoundTransfer, TransferResource, toFoundTransfer } from "@/lib/payments/transfer-resource";

export const GET = route({
  auth: ["key", "session"],
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
    if (include === "history") return { history: await getOwnTransfer(ctx, transfer_id) };
    if (include === "encrypted") return { encrypted: await getTransferView(ctx, transfer_id) };
    return { summary: await getTransfer(ctx, transfer_id) };
  },
  serialize: toFoundTransfer,
});
