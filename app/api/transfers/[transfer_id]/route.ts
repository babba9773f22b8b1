import { route } from "@/lib/http/route";
import { getOwnTransfer } from "@/lib/payments/get-own-transfer";
import { toOwnerTransferDetails } from "@/lib/payments/transfer-resource";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getOwnTransfer(ctx, params.transfer_id ?? ""),
  serialize: toOwnerTransferDetails,
});
