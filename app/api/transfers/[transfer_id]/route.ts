import { route } from "@/lib/http/route";
import { getOwnTransfer } from "@/lib/transfers/get-own-transfer";
import { toOwnerTransferDetails } from "@/lib/transfers/transfer-resource";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getOwnTransfer(ctx, params.transfer_id ?? ""),
  serialize: toOwnerTransferDetails,
});
