import { EMPTY_BUDGET } from "@/lib/ledger/crypto/commitments";
import { type AssetHistory, spendableNotes } from "@/lib/ledger/history";

/** A budget whose word on chain nobody's copy opens, and what waits behind it, in units. */
export interface LostBudget {
  word: bigint;
  /** No more than this was in it; null when the chain does not bound it. */
  atMost: bigint | null;
  /** Notes that open but cannot be allocated while the budget is like this, and the credit. */
  notes: bigint;
  credit: bigint;
}

/** What of one asset is lost, as chain data shows it; null when the budget opens, or is empty. */
export function lossOf(held: AssetHistory | undefined): LostBudget | null {
  if (!held || held.budget || held.budgetWord === EMPTY_BUDGET) return null;
  const notes = spendableNotes(held).reduce((sum, { amount }) => sum + amount, 0n);
  return { word: held.budgetWord, atMost: held.atMost, notes, credit: held.credit };
}
