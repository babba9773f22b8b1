import { route } from "@/lib/http/route";
import { getTransfer } from "@/lib/transfers/get-transfer";
import { toTransferResource } from "@/lib/transfers/transfer-resource";

export const GET = route({
  auth: "apiKey",
  agentKeys: "allowed",
  handle: ({ ctx, params }) => getTransfer(ctx, params.transfer_id ?? ""),
  serialize: toTransferResource,
});
