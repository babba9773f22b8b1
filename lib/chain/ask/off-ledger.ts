import type { AskedOperation } from "./asked-operation";

/** Kinds of operations that don't involve the ledger, so that their receipt is the only evidence of them. */
export const OFF_LEDGER = ["mint", "return_unclaimed", "gas"] as const satisfies readonly AskedOperation["kind"][];

/** Reports whether operations of a kind don't involve the ledger. */
export function isOffLedger(kind: string): boolean {
  return OFF_LEDGER.some((one) => one === kind);
}
