import { isPattern } from "./recipients";
import { SERVICE } from "./rules";
import type { PolicyFields } from "./spend-policy";

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
  if (field === "paused") return "service";
  switch (SERVICE[field].commitment) {
    case "limits":
      return "chain";
    case "recipients":
      return policy.public_payments || policy.allowed_recipients.some(isPattern) ? "service" : "chain";
    case "document":
      return "service";
  }
}
