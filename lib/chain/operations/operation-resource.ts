import type { Hex } from "viem";
import { z } from "zod";
import { hexField } from "@/lib/base/response-fields";

/** A transaction that the service sends to the chain for an account, as the account sees it. */
export interface OperationRecord {
  id: string;
  kind: string;
  status: "pending" | "confirmed" | "failed";
  txHash: Hex;
}

/** An operation of the public API. */
export const OperationResource = z
  .object({
    operation_id: z.string().meta({ description: "Identifies the operation." }),
    kind: z.string().meta({ description: "What it does on chain, such as `set_policy`." }),
    status: z
      .enum(["pending", "confirmed", "failed"])
      .meta({ description: "`confirmed`: final on chain. `failed`: it can no longer happen." }),
    tx_hash: hexField(32, "Hash of its transaction, or of the newest one until one is mined."),
  })
  .meta({ id: "Operation", description: "A transaction that the service sends to the chain for the account." });

/** Serializes an operation. */
export function toOperationResource(operation: OperationRecord) {
  return {
    operation_id: operation.id,
    kind: operation.kind,
    status: operation.status,
    tx_hash: operation.txHash,
  };
}
