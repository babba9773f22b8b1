import type { PolicyFields } from "./in-words";

/** Who refuses a payment that a rule forbids: the ledger itself, or the service before it signs or sends anything. */
export type Enforcer = "chain" | "service";

/** A rule of a policy: one of its fields, or its pause. */
export type PolicyRuleField = keyof PolicyFields | "paused";

/** Whether entries name whole groups of recipients. The ledger then checks amounts, and no recipients. */
export function hasWildcard(recipients: readonly string[]): boolean {
  return recipients.some((entry) => entry.startsWith("*"));
}

/**
 * Who enforces a rule of a policy (docs/protocol.md, Policies). What the chain enforces holds even while someone else
 * controls the service.
 */
export function enforcedBy(policy: Pick<PolicyFields, "allowed_recipients">, field: PolicyRuleField): Enforcer {
  switch (field) {
    case "daily_limit_usdg":
    case "per_transaction_limit_usdg":
    case "hitl_threshold_usdg":
    case "limits":
    case "assets":
      return "chain";
    case "allowed_recipients":
      return hasWildcard(policy.allowed_recipients) ? "service" : "chain";
    case "active_hours":
    case "time_zone":
    case "paused":
      return "service";
  }
}
