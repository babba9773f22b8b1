import { allowsRecipient, type PolicyRecipient } from "@/lib/policy/recipients";
import type { RecipientLimit } from "@/lib/policy/rule";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/** Returns all limits that apply to payments to a recipient. A payment must satisfy each of them. */
export function limitsFor(policy: SpendPolicy, recipient: PolicyRecipient): readonly RecipientLimit[] {
  return policy.recipientLimits.filter((limit) => allowsRecipient([limit.recipient], recipient));
}
