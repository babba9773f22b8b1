import { EMPTY_BUDGET } from "@/lib/ledger/crypto/commitments";
import { type AssetHistory, spendableNotes } from "@/lib/ledger/history/account-history";

/** A budget whose word on chain no copy matches, and the money that waits behind it, in units. */
export interface LostBudget {
  word: bigint;
  /** No more than this was in it; null when the chain does not bound it. */
  atMost: bigint | null;
  /** Notes that can be decrypted but not allocated while the budget is like this, and the credit. */
  notes: bigint;
  credit: bigint;
}

/** What of one asset is lost, as chain data shows it; null when the budget can be decrypted, or is empty. */
export function lossOf(held: AssetHistory | undefined): LostBudget | null {
  if (!held || held.budget || held.budgetWord === EMPTY_BUDGET) return null;
  const notes = spendableNotes(held).reduce((sum, { amount }) => sum + amount, 0n);
  return { word: held.budgetWord, atMost: held.atMost, notes, credit: held.credit };
}
