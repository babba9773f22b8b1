import { allowsRecipient, type PolicyRecipient } from "@/lib/policy/recipients";
import type { RecipientLimit, SpendPolicy } from "@/lib/policy/spend-policy";

/** The limits that bound payments to a recipient; each of them holds. */
export function limitsFor(policy: SpendPolicy, recipient: PolicyRecipient): readonly RecipientLimit[] {
  return policy.recipientLimits.filter((limit) => allowsRecipient([limit.recipient], recipient));
}
