import { type BudgetOpening, budgetCommitment } from "./crypto/commitments";
import { noteRatchet, openAmount, publicRatchet } from "./crypto/ratchet";
import { unpackTerms } from "./crypto/terms";
import { windowAfter } from "./crypto/window-after";

/**
 * A payment of a ruled budget as the chain shows it: the `Ruled` event, with the note of the `Transferred` or the
 * amount of the `Released` before it. All words and units are integers.
 */
export type RuledPayment = { newBudget: bigint; terms: bigint } & (
  | { note: bigint; sealedAmount: bigint }
  | { amount: bigint }
);

/** What a ruled payment moved, and the budget after it. */
export interface FollowedPayment {
  amount: bigint;
  budget: BudgetOpening;
}

/**
 * Opens the budget after a ruled payment from the one before, without any copy. Null when the opening is not that of
 * the word the payment replaced. Service counters are not on chain: the result has none.
 */
export function followRuled(old: BudgetOpening, payment: RuledPayment): FollowedPayment | null {
  try {
    const { salt, amount } = stepOf(old.salt, payment);
    if (amount === null) return null;
    const window = windowAfter(old.window, unpackTerms(payment.terms), amount);
    const budget = { limit: old.limit - amount, salt, window };
    return budgetCommitment(budget) === payment.newBudget ? { amount, budget } : null;
  } catch {
    return null;
  }
}

function stepOf(oldSalt: bigint, payment: RuledPayment): { salt: bigint; amount: bigint | null } {
  if ("amount" in payment) return { salt: publicRatchet(oldSalt), amount: payment.amount };
  const { salt, pad } = noteRatchet(oldSalt, payment.note);
  return { salt, amount: openAmount(payment.sealedAmount, pad) };
}
