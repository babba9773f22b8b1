import type { PolicyRule } from "@/lib/base/errors";
import { isActive } from "@/lib/policy/active-hours";
import { limitsFor } from "@/lib/policy/limits-for";
import { allowsRecipient, type PolicyRecipient } from "@/lib/policy/recipients";
import { limitsOf, type PolicyAsset, type SpendPolicy } from "@/lib/policy/spend-policy";

/**
 * The name of a rule. A rule that denies a payment gives its name as the reason; the approval threshold never denies.
 */
export type RuleName = PolicyRule | "approval_threshold";

/** The outcome of one rule, independent of the others. */
interface RuleOutcome {
  rule: RuleName;
  outcome: "pass" | "fail" | "hold";
}

/** A policy's decision. `rules` lists every rule that was checked, in order of precedence. */
export type PolicyDecision =
  | { outcome: "allowed" | "held"; rules: RuleOutcome[] }
  | { outcome: "denied"; reason: PolicyRule; rules: RuleOutcome[] };

/** A payment by an agent, without its amount. */
export interface PolicyAct {
  asset: PolicyAsset;
  recipient: PolicyRecipient;
  /** Whether the recipient is a seller that takes only public payments (scheme `exact`). */
  isExact?: boolean | undefined;
}

/** A payment by an agent. The amount is in units of the asset and greater than zero. */
export interface PolicyPayment extends PolicyAct {
  amount: bigint;
}

/**
 * The agent's state: whether it is paused, and what it has paid of this asset on the policy's day and in its month (see
 * `standingOf`).
 */
export interface SpendingState {
  paused: boolean;
  spentToday: bigint;
  paymentsToday: number;
  spentThisMonth: bigint;
  /** What the recipient got of `spentThisMonth`, if a limit restricts that. */
  paidRecipientThisMonth: bigint;
}

/**
 * Decides on a payment by an agent's policy at a given time. The rules apply in this order: pause, asset, recipient,
 * public payments (for a payment to an `exact` seller), hours, per-transaction limit, daily limit, the optional limits
 * (per month, number of payments, recipient), approval threshold. The reason for a denial is the first rule that fails.
 * A payment is held only if no rule fails. The balance is not checked.
 *
 * @example decide(policy, { paused: false, spentToday: 0n }, { asset: "USDG", amount: 5_000_000n, recipient }, new
 *   Date())
 */
export function decide(policy: SpendPolicy, standing: SpendingState, payment: PolicyPayment, at: Date): PolicyDecision {
  const { hitlThreshold } = limitsOf(policy, payment.asset);
  const threshold: RuleOutcome = {
    rule: "approval_threshold",
    outcome: payment.amount > hitlThreshold ? "hold" : "pass",
  };
  return conclude([
    ...actRules(policy, standing.paused, payment, at),
    ...limitRules(policy, standing, payment),
    threshold,
  ]);
}

/** Decides like {@link decide}, but without the approval threshold: the owner has approved the payment. */
export function decideApproval(
  policy: SpendPolicy,
  standing: SpendingState,
  payment: PolicyPayment,
  at: Date,
): PolicyDecision {
  return conclude([...actRules(policy, standing.paused, payment, at), ...limitRules(policy, standing, payment)]);
}

/**
 * Decides on a payment or approval that the owner's client prepared: checks only pause, asset, recipient and hours. The
 * owner vouches for the amount (docs/protocol.md section 7).
 */
export function decideActOfOwner(policy: SpendPolicy, paused: boolean, act: PolicyAct, at: Date): PolicyDecision {
  return conclude(actRules(policy, paused, act, at));
}

function actRules(policy: SpendPolicy, paused: boolean, act: PolicyAct, at: Date): RuleOutcome[] {
  const { asset, recipient, isExact = false } = act;
  return [
    must("agent_paused", !paused),
    must("asset_not_allowed", policy.assets.includes(asset)),
    must("recipient_not_allowed", allowsRecipient(policy.allowedRecipients, recipient)),
    ...(isExact ? [must("public_payments_not_allowed", policy.publicPayments)] : []),
    must("outside_active_hours", isActive(policy.activeHours, policy.timeZone, at)),
  ];
}

function limitRules(policy: SpendPolicy, standing: SpendingState, payment: PolicyPayment): RuleOutcome[] {
  const { asset, amount } = payment;
  if (amount <= 0n || standing.spentToday < 0n) throw new RangeError("a payment is of more than zero units");
  const { daily, perTransaction } = limitsOf(policy, asset);
  return [
    must("per_transaction_limit", amount <= perTransaction),
    must("daily_limit", standing.spentToday + amount <= daily),
    ...furtherRules(policy, standing, payment),
  ];
}

/** Checks the optional limits that the policy has. */
function furtherRules(
  policy: SpendPolicy,
  { paymentsToday, spentThisMonth, paidRecipientThisMonth }: SpendingState,
  { asset, amount, recipient }: PolicyPayment,
): RuleOutcome[] {
  const { monthlyLimit, paymentsPerDay } = policy;
  const rules: RuleOutcome[] = [];
  const isUsdg = asset === "USDG";
  if (isUsdg && monthlyLimit !== null) rules.push(must("monthly_limit", spentThisMonth + amount <= monthlyLimit));
  if (paymentsPerDay !== null) rules.push(must("payments_per_day", paymentsToday < paymentsPerDay));
  if (!isUsdg) return rules;
  const limits = limitsFor(policy, recipient);
  const single = limits.flatMap(({ perTransaction }) => perTransaction ?? []);
  const monthly = limits.flatMap((limit) => limit.monthly ?? []);
  const all = (bounds: bigint[], units: bigint) => bounds.every((bound) => units <= bound);
  if (single.length > 0) rules.push(must("recipient_transaction_limit", all(single, amount)));
  if (monthly.length > 0) rules.push(must("recipient_monthly_limit", all(monthly, paidRecipientThisMonth + amount)));
  return rules;
}

function must(rule: PolicyRule, holds: boolean): RuleOutcome & { rule: PolicyRule } {
  return { rule, outcome: holds ? "pass" : "fail" };
}

function conclude(rules: RuleOutcome[]): PolicyDecision {
  for (const { rule, outcome } of rules) {
    if (outcome === "fail" && rule !== "approval_threshold") return { outcome: "denied", reason: rule, rules };
  }
  return { outcome: rules.some(({ outcome }) => outcome === "hold") ? "held" : "allowed", rules };
}
