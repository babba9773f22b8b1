import type { PolicyFields } from "@/lib/policy/spend-policy";

/** Returns a recipient that the policy allows: one that it names, or `@demo` if it allows anyone. */
function recipientOf({ allowed_recipients }: PolicyFields): string {
  const named = allowed_recipients.find((entry) => !entry.startsWith("*"));
  if (named) return named;
  const domain = allowed_recipients.find((entry) => entry.startsWith("*."));
  return domain === undefined || allowed_recipients.includes("*") ? "@demo" : `@shop${domain.slice(1)}`;
}

/** Returns a payment that the policy allows without approval, if it allows any. */
export function samplePayment(policy: PolicyFields): { to: string; amount: string } {
  const bounds = [policy.per_transaction_limit_usdg, policy.daily_limit_usdg, policy.hitl_threshold_usdg];
  const most = Math.min(1, ...bounds.filter((bound) => bound > 0));
  return { to: recipientOf(policy), amount: String(most) };
}

/** Returns the curl command for that payment. `key` is an API key, or the name of the variable that holds one. */
export function sampleCurl(origin: string, key: string, policy: PolicyFields): string {
  return `curl ${origin}/v1/transfers \\
  -H "Authorization: Bearer ${key}" \\
  -H "Idempotency-Key: order-1" \\
  -d '${JSON.stringify(samplePayment(policy))}'`;
}
