import type { PolicyAsset } from "@/lib/policy/amount-limits";
import type { SpendingState } from "@/lib/policy/counting";
import type { PolicyRecipient } from "@/lib/policy/recipients";
import { ACT_STAGES, type ActCheck, AMOUNT_STAGES, type AmountCheck } from "@/lib/policy/rule";
import { type CheckName, SERVICE } from "@/lib/policy/rules";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/**
 * The name of a rule. A rule that denies a payment gives its name as the reason; the approval threshold never denies.
 */
export type RuleName = CheckName | "agent_paused";
/** The name of a rule that can deny a payment. */
export type PolicyRule = Exclude<RuleName, "approval_threshold">;

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

type Check = ActCheck | AmountCheck;

const checks = Object.values(SERVICE).flatMap((of) => Object.entries(of.checks) as [CheckName, Check][]);
const needsAmount = (check: Check): check is AmountCheck => AMOUNT_STAGES.some((stage) => stage === check.stage);
const ACT_CHECKS = ACT_STAGES.flatMap((stage) =>
  checks.flatMap(([name, check]) => (check.stage === stage && !needsAmount(check) ? { name, check } : [])),
);
const AMOUNT_CHECKS = AMOUNT_STAGES.flatMap((stage) =>
  checks.flatMap(([name, check]) => (check.stage === stage && needsAmount(check) ? { name, check } : [])),
);

/** Those that the service can check without an amount, because they count payments. */
const COUNT_CHECKS = AMOUNT_CHECKS.filter(({ name }) =>
  Object.values(SERVICE).some(({ blind, checks: of }) => blind === "service" && name in of),
);

/** The rules that can deny a payment, in order of precedence. */
export const POLICY_RULES: readonly PolicyRule[] = [
  "agent_paused",
  ...[...ACT_CHECKS, ...AMOUNT_CHECKS].flatMap(({ name }) => (name === "approval_threshold" ? [] : name)),
];

/**
 * Decides on a payment by an agent's policy at a given time. The rules apply in this order: pause, asset, recipient,
 * public payments (for a payment to an `exact` seller), hours, per-transaction limit, daily limit, the optional limits
 * (per month, number of payments, recipient), approval threshold. The reason for a denial is the first rule that fails.
 * A payment is held only if no rule fails. The balance is not checked.
 */
export function decide(policy: SpendPolicy, standing: SpendingState, payment: PolicyPayment, at: Date): PolicyDecision {
  return conclude([...actRules(policy, standing.paused, payment, at), ...amountRules(policy, standing, payment)]);
}

/** Decides like {@link decide}, but without the approval threshold: the owner has approved the payment. */
export function decideApproval(
  policy: SpendPolicy,
  standing: SpendingState,
  payment: PolicyPayment,
  at: Date,
): PolicyDecision {
  const { rules } = decide(policy, standing, payment, at);
  return conclude(rules.filter(({ rule }) => rule !== "approval_threshold"));
}

/**
 * Decides on a payment or approval that the owner's client signed: checks only pause, asset, recipient and hours. The
 * owner vouches for the amount (docs/protocol.md section 7).
 */
export function decideActOfOwner(policy: SpendPolicy, paused: boolean, act: PolicyAct, at: Date): PolicyDecision {
  return conclude(actRules(policy, paused, act, at));
}

/**
 * Decides on a payment whose amount only its client knows: checks pause, asset, recipient, hours, and how many payments
 * there have been. The ledger judges the amount.
 */
export function decideUnseen(policy: SpendPolicy, standing: SpendingState, act: PolicyAct, at: Date): PolicyDecision {
  // No check of a number of payments looks at the amount.
  const payment = { ...act, amount: 1n };
  return conclude([
    ...actRules(policy, standing.paused, act, at),
    ...amountRules(policy, standing, payment, COUNT_CHECKS),
  ]);
}

function actRules(policy: SpendPolicy, paused: boolean, act: PolicyAct, at: Date): RuleOutcome[] {
  const asked = ACT_CHECKS.filter(({ check }) => check.applies?.(policy, act) ?? true);
  return [
    { rule: "agent_paused", outcome: paused ? "fail" : "pass" },
    ...asked.map(({ name, check }): RuleOutcome => {
      return { rule: name, outcome: check.passes(policy, act, at) ? "pass" : "fail" };
    }),
  ];
}

function amountRules(
  policy: SpendPolicy,
  standing: SpendingState,
  payment: PolicyPayment,
  checked = AMOUNT_CHECKS,
): RuleOutcome[] {
  if (payment.amount <= 0n || standing.spentToday < 0n) throw new RangeError("a payment is of more than zero units");
  const asked = checked.filter(({ check }) => check.applies?.(policy, payment) ?? true);
  return asked.map(({ name, check }): RuleOutcome => {
    const refused = check.stage === "approval" ? "hold" : "fail";
    const counted = check.counts ? standing[check.counts] : 0n;
    return { rule: name, outcome: check.passes(policy, payment, counted) ? "pass" : refused };
  });
}

function conclude(rules: RuleOutcome[]): PolicyDecision {
  for (const { rule, outcome } of rules) {
    if (outcome === "fail" && rule !== "approval_threshold") return { outcome: "denied", reason: rule, rules };
  }
  return { outcome: rules.some(({ outcome }) => outcome === "hold") ? "held" : "allowed", rules };
}
