import type { Hex } from "viem";

/** Work of the service on chain, as its account sees it. */
export interface OperationRecord {
  id: string;
  kind: string;
  status: "pending" | "confirmed" | "failed";
  txHash: Hex;
}

/** An operation as the session API shows it. */
export function toOperationResource(operation: OperationRecord) {
  return {
    operation_id: operation.id,
    kind: operation.kind,
    status: operation.status,
    tx_hash: operation.txHash,
  };
}
