import type { Hex } from "viem";

/** A transaction that the service sends to the chain for an account, as the account sees it. */
export interface OperationRecord {
  id: string;
  kind: string;
  status: "pending" | "confirmed" | "failed";
  txHash: Hex;
}

/** Serializes an operation for the session API. */
export function toOperationResource(operation: OperationRecord) {
  return {
    operation_id: operation.id,
    kind: operation.kind,
    status: operation.status,
    tx_hash: operation.txHash,
  };
}
