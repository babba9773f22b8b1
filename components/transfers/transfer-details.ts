import type { toOwnerTransferDetails } from "@/lib/transfers/transfer-resource";

/** `GET /api/transfers/{transfer_id}`. */
export type TransferDetailsResource = ReturnType<typeof toOwnerTransferDetails>;
