import type { Address, Hex } from "viem";
import { fromHex } from "../crypto/bytes";
import type { BudgetOpening } from "../crypto/commitments";
import { paymentIdOf } from "../crypto/payment-id-of";
import type { CommitmentRef, Scope } from "../crypto/scope";
import { budgetOfCopy, openPayerCopy, type PayerCopy } from "../seal/payer-copy";
import type { AssetHistory } from "./account-history";

/** Whose history is read. The account is in lower case. */
export interface Reader {
  scope: Scope;
  account: Address;
  viewingSecret: Uint8Array;
}

/** The place of a word of the reader's account. */
export function refOf({ scope, account }: Reader, asset: Address, commitment: bigint): CommitmentRef {
  return { scope, account, asset, commitment };
}

/** The payer copy of the budget word at `word`, or null when it does not open. Nothing of it is believed yet. */
export function copyAt(reader: Reader, asset: Address, word: bigint, ciphertext: Hex): Promise<PayerCopy | null> {
  return openPayerCopy(reader.viewingSecret, refOf(reader, asset, word), fromHex(ciphertext));
}

/** Sets the budget's word and, where it is known, its opening. `bound` is what the new budget holds at most. */
export function setBudget(
  holding: AssetHistory,
  word: bigint,
  budget: BudgetOpening | null,
  bound: bigint | null,
): void {
  holding.budgetWord = word;
  holding.budget = budget;
  holding.atMost = budget ? budget.limit : bound;
  holding.unfinished = null;
}

/** The bound of a budget after it grew by `change` at most (negative: shrank by that at least; null: not known). */
export function boundAfter({ atMost }: AssetHistory, change: bigint | null): bigint | null {
  return atMost === null || change === null ? null : atMost + change;
}

/**
 * Moves the budget to its new word and opens it where the copy recomputes it from the old one. The copies of a ruled
 * payment never do: the `Ruled` that follows opens its budget.
 */
export function moveBudget(
  reader: Reader,
  asset: Address,
  holding: AssetHistory,
  words: { before: bigint; after: bigint },
  copy: Pick<PayerCopy, "limit" | "window" | "seed"> | null,
  change: bigint | null,
): void {
  const budget = copy && budgetOfCopy(copy, refOf(reader, asset, words.after), words.before);
  setBudget(holding, words.after, budget, boundAfter(holding, change));
}

/** Seed and tag of a copy whose seed makes the payment id that the chain has. */
export function marksOf({ scope }: Reader, copy: PayerCopy | null, paymentId: Hex) {
  return copy && paymentIdOf(copy.seed, scope) === paymentId ? { seed: copy.seed, tag: copy.tag } : {};
}
