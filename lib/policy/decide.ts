import type { PolicyRule } from "@/lib/errors";
import { isActive } from "@/lib/policy/active-hours";
import { limitsFor } from "@/lib/policy/limits-for";
import { allowsRecipient, type PolicyRecipient } from "@/lib/policy/recipients";
import { limitsOf, type PolicyAsset, type SpendPolicy } from "@/lib/policy/spend-policy";

/** A rule bears the name of the reason it refuses with; the threshold refuses nothing. */
export type RuleName = PolicyRule | "approval_threshold";

/** What one rule says, whatever the others say. */
interface RuleOutcome {
  rule: RuleName;
  outcome: "pass" | "fail" | "hold";
}

/** The response of a policy. `rules` has every rule that was asked, in the order in which they count. */
export type Decision =
  | { outcome: "allowed" | "held"; rules: RuleOutcome[] }
  | { outcome: "denied"; reason: PolicyRule; rules: RuleOutcome[] };

/** What an agent's payment is, apart from its amount. */
export interface PolicyAct {
  asset: PolicyAsset;
  recipient: PolicyRecipient;
  /** Of a seller that takes public payments only (scheme `exact`): the recipient is the seller. */
  isExact?: boolean | undefined;
}

/** A payment of an agent; the amount is in units of the asset, more than zero. */
export interface PolicyPayment extends PolicyAct {
  amount: bigint;
}

/** How the agent stands, by what it has paid of this asset on the policy's day and in its month (`standingOf`). */
export interface Standing {
  paused: boolean;
  spentToday: bigint;
  paymentsToday: number;
  spentThisMonth: bigint;
  /** Of what was spent this month, where a limit bounds the recipient's. */
  paidRecipientThisMonth: bigint;
}

/**
 * What the policy says of a payment at a moment. Order: paused, asset, recipient, public payments where
 * it is one to an `exact` seller, hours, per-transaction limit, daily
 * limit, those of the month, of the number of payments and of the recipient where the policy has them, threshold; the
 * reason is the first rule that fails, and a payment is held only if none does. Whether there is
 * money for it is not asked.
 *
 * @example decide(policy, { paused: false, spentToday: 0n }, { asset: "USDG", amount: 5_000_000n, recipient }, new
 *   Date())
 */
export function decide(policy: SpendPolicy, standing: Standing, payment: PolicyPayment, at: Date): Decision {
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

/** As {@link decide}, without the threshold: the owner has said yes to a held payment. */
export function decideApproval(policy: SpendPolicy, standing: Standing, payment: PolicyPayment, at: Date): Decision {
  return conclude([...actRules(policy, standing.paused, payment, at), ...limitRules(policy, standing, payment)]);
}

/**
 * Of a payment or approval prepared by the owner's client: pause, asset, recipient and hours. Its amount is the
 * owner's word (docs/protocol.md section 7).
 */
export function decideActOfOwner(policy: SpendPolicy, paused: boolean, act: PolicyAct, at: Date): Decision {
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

function limitRules(policy: SpendPolicy, standing: Standing, payment: PolicyPayment): RuleOutcome[] {
  const { asset, amount } = payment;
  if (amount <= 0n || standing.spentToday < 0n) throw new RangeError("a payment is of more than zero units");
  const { daily, perTransaction } = limitsOf(policy, asset);
  return [
    must("per_transaction_limit", amount <= perTransaction),
    must("daily_limit", standing.spentToday + amount <= daily),
    ...furtherRules(policy, standing, payment),
  ];
}

/** Limits that a policy need not have: those that it lacks are not asked. */
function furtherRules(
  policy: SpendPolicy,
  { paymentsToday, spentThisMonth, paidRecipientThisMonth }: Standing,
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

function conclude(rules: RuleOutcome[]): Decision {
  for (const { rule, outcome } of rules) {
    if (outcome === "fail" && rule !== "approval_threshold") return { outcome: "denied", reason: rule, rules };
  }
  return { outcome: rules.some(({ outcome }) => outcome === "hold") ? "held" : "allowed", rules };
}
