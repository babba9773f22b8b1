import type { Address } from "viem";
import { EMPTY_BUDGET } from "../crypto/commitments";
import { wordToHex } from "../crypto/field";
import { type AccountHistory, type AssetHistory, spendableNotes } from "../history/account-history";
import { lowerCase } from "../prepare/next-state";
import type { AuthorityDraft } from "./authority-documents";
import type { LedgerParty } from "./ledger-record";

/** A budget whose word on chain no copy matches, and the money that waits behind it, in units. */
export interface LostBudget {
  word: bigint;
  /** No more than this was in it; null when the chain does not bound it. */
  atMost: bigint | null;
  /** Notes that can be opened but not allocated while the budget is like this, and the credit. */
  notes: bigint;
  credit: bigint;
}

/** What of one asset is lost, as chain data shows it; null when the budget opens, or is empty. */
export function lossOf(held: AssetHistory | undefined): LostBudget | null {
  if (!held || held.budget || held.budgetWord === EMPTY_BUDGET) return null;
  const notes = spendableNotes(held).reduce((sum, { amount }) => sum + amount, 0n);
  return { word: held.budgetWord, atMost: held.atMost, notes, credit: held.credit };
}

/** A lost budget, and the draft that gives it up. */
export interface AbandonStep extends LostBudget {
  asset: Address;
  draft: AuthorityDraft<"abandon">;
}

/**
 * Plans to give up every lost budget of a party, or those of `assets`: one after the other, for each uses up the
 * party's nonce. A draft names the word that the history ends with, so a budget that came in its place stays.
 */
export function planAbandon(
  { address, record }: LedgerParty,
  history: AccountHistory,
  deadline: bigint,
  assets: readonly Address[] = [...history.assets.keys()],
): AbandonStep[] {
  const lost = assets.map(lowerCase).flatMap((asset) => {
    const loss = lossOf(history.assets.get(asset));
    return loss ? [{ asset, loss }] : [];
  });
  return lost.map(({ asset, loss }, at) => ({
    ...loss,
    asset,
    draft: {
      kind: "abandon" as const,
      account: lowerCase(address),
      asset,
      old_budget: wordToHex(loss.word),
      nonce: (record.nonce + BigInt(at)).toString(),
      deadline: deadline.toString(),
    },
  }));
}
