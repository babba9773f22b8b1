import type { AvailableOpening } from "../crypto/commitments";
import { assertUnits, UNITS_BOUND } from "../crypto/field";
import type { SpendLimits } from "../crypto/policy-commitment";
import { SPEND_MODE, type Terms } from "../crypto/terms";
import type { AvailableWindow } from "../crypto/window";
import { windowAfter } from "../crypto/window-after";

/** The rule by which the ledger refuses a payment from an available balance under a policy. */
export type ChainRefusal =
  | "insufficient_funds"
  | "no_policy"
  | "per_transaction_limit"
  | "daily_limit"
  | "approval_threshold";

/** The result of the ledger's amount rules, and the available balance after the payment. */
type ChainVerdict =
  | { allowed: true; limit: bigint; window: AvailableWindow }
  | { allowed: false; reason: ChainRefusal };

const refuse = (reason: ChainRefusal): ChainVerdict => ({ allowed: false, reason });

/**
 * Applies the rules for amounts that the proof of a payment from an available balance under a policy has to satisfy.
 * Pure. It does not check who may sign, the recipient, or the time of day. The approval threshold applies in mode 0
 * only; above it, the payment needs approval.
 *
 * @param policy null if the policy commitment is zero
 * @throws InvalidUnits if the amount is not a possible payment
 */
export function chainAllows(
  available: Pick<AvailableOpening, "limit" | "window">,
  policy: SpendLimits | null,
  terms: Terms,
  amount: bigint,
): ChainVerdict {
  assertUnits(amount, 1n);
  const window = windowAfter(available.window, terms, amount);
  if (terms.mode !== SPEND_MODE.wallet) {
    if (policy === null) return refuse("no_policy");
    if (amount > policy.perPayment) return refuse("per_transaction_limit");
    if (window.spent > policy.daily || window.spent >= UNITS_BOUND) return refuse("daily_limit");
    if (terms.mode === SPEND_MODE.agent && amount > policy.threshold) return refuse("approval_threshold");
  }
  if (amount > available.limit) return refuse("insufficient_funds");
  return { allowed: true, limit: available.limit - amount, window };
}
