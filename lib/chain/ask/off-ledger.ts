import type { AskedOperation } from "./asked-operation";

/** Kinds of operations in which the ledger has no part: their own receipt is all there is of them. */
export const OFF_LEDGER = ["mint", "return_unclaimed", "gas"] as const satisfies readonly AskedOperation["kind"][];

/** Whether the ledger has no part in operations of a kind. */
export function isOffLedger(kind: string): boolean {
  return OFF_LEDGER.some((one) => one === kind);
}
