import type { toOwnerTransferDetails } from "@/lib/payments/transfer-resource";

/** `GET /api/transfers/{transfer_id}`. */
export type TransferDetailsResource = ReturnType<typeof toOwnerTransferDetails>;
