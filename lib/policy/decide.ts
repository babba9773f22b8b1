import type { PolicyRule } from "@/lib/errors";
import { isActive } from "@/lib/policy/active-hours";
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
}

/** A payment of an agent; the amount is in units of the asset, more than zero. */
export interface PolicyPayment extends PolicyAct {
  amount: bigint;
}

/** How the agent stands: `spentToday` is what it has spent of this asset on the policy's day (`spentOnDay`). */
export interface Standing {
  paused: boolean;
  spentToday: bigint;
}

/**
 * What the policy says of a payment at a moment. Order: paused, asset, recipient, hours, per-transaction limit, daily
 * limit, threshold; the reason is the first rule that fails, and a payment is held only if none does. Whether there is
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

function actRules(policy: SpendPolicy, paused: boolean, { asset, recipient }: PolicyAct, at: Date): RuleOutcome[] {
  return [
    must("agent_paused", !paused),
    must("asset_not_allowed", policy.assets.includes(asset)),
    must("recipient_not_allowed", allowsRecipient(policy.allowedRecipients, recipient)),
    must("outside_active_hours", isActive(policy.activeHours, policy.timeZone, at)),
  ];
}

function limitRules(policy: SpendPolicy, standing: Standing, { asset, amount }: PolicyPayment): RuleOutcome[] {
  if (amount <= 0n || standing.spentToday < 0n) throw new RangeError("a payment is of more than zero units");
  const { daily, perTransaction } = limitsOf(policy, asset);
  return [
    must("per_transaction_limit", amount <= perTransaction),
    must("daily_limit", standing.spentToday + amount <= daily),
  ];
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
