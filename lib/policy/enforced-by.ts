import type { PolicyFields } from "./in-words";
import { isPattern } from "./recipients";

/** Who refuses a payment that a rule forbids: the ledger contract, or the service before it signs or sends anything. */
export type Enforcer = "chain" | "service";

/** A rule of a policy: one of its fields, or its pause. */
export type PolicyRuleField = keyof PolicyFields | "paused";

/**
 * Returns who enforces a rule of a policy (docs/protocol.md, Policies). What the chain enforces holds even if an
 * attacker controls the service.
 */
export function enforcedBy(
  policy: Pick<PolicyFields, "allowed_recipients"> & Partial<Pick<PolicyFields, "public_payments">>,
  field: PolicyRuleField,
): Enforcer {
  switch (field) {
    case "daily_limit_usdg":
    case "per_transaction_limit_usdg":
    case "hitl_threshold_usdg":
    case "limits":
    case "assets":
      return "chain";
    case "allowed_recipients":
      return policy.public_payments || policy.allowed_recipients.some(isPattern) ? "service" : "chain";
    case "monthly_limit_usdg":
    case "payments_per_day":
    case "recipient_limits":
    case "public_payments":
    case "active_hours":
    case "time_zone":
    case "paused":
      return "service";
  }
}
