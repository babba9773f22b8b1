import type { BudgetOpening } from "../crypto/commitments";
import { assertUnits, UNITS_BOUND } from "../crypto/field";
import type { SpendLimits } from "../crypto/policy-word";
import { SPEND_MODE, type Terms } from "../crypto/terms";
import type { BudgetWindow } from "../crypto/window";
import { windowAfter } from "../crypto/window-after";

/** The rule by which the ledger refuses a payment from a ruled budget. */
export type ChainRefusal =
  | "insufficient_funds"
  | "no_policy"
  | "per_transaction_limit"
  | "daily_limit"
  | "approval_threshold";

/** What the ledger's amount rules say, and what the budget is afterwards. */
export type ChainVerdict =
  | { allowed: true; limit: bigint; window: BudgetWindow }
  | { allowed: false; reason: ChainRefusal };

const refuse = (reason: ChainRefusal): ChainVerdict => ({ allowed: false, reason });

/**
 * What the proof of a payment from a ruled budget has to show, as a pure function: the rules of amounts under the
 * terms' mode. `policy` is null where the policy word is zero. Who may sign, the recipient and the time of the day are
 * other checks. A threshold refuses in mode 0 only: the payment then needs approval.
 *
 * @throws InvalidUnits when the amount is no payment's
 */
export function chainAllows(
  budget: Pick<BudgetOpening, "limit" | "window">,
  policy: SpendLimits | null,
  terms: Terms,
  amount: bigint,
): ChainVerdict {
  assertUnits(amount, 1n);
  const window = windowAfter(budget.window, terms, amount);
  if (terms.mode !== SPEND_MODE.wallet) {
    if (policy === null) return refuse("no_policy");
    if (amount > policy.perPayment) return refuse("per_transaction_limit");
    if (window.spent > policy.daily || window.spent >= UNITS_BOUND) return refuse("daily_limit");
    if (terms.mode === SPEND_MODE.agent && amount > policy.threshold) return refuse("approval_threshold");
  }
  if (amount > budget.limit) return refuse("insufficient_funds");
  return { allowed: true, limit: budget.limit - amount, window };
}
