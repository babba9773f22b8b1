import type { PolicyFields } from "@/lib/policy/in-words";

/** Whom a first payment under a policy could go to: someone it names, `@demo` when it lets anyone. */
function recipientOf({ allowed_recipients }: PolicyFields): string {
  const named = allowed_recipients.find((entry) => !entry.startsWith("*"));
  if (named) return named;
  const domain = allowed_recipients.find((entry) => entry.startsWith("*."));
  return domain === undefined || allowed_recipients.includes("*") ? "@demo" : `@shop${domain.slice(1)}`;
}

/** A payment the policy lets through without asking, where it lets any. */
export function samplePayment(policy: PolicyFields): { to: string; amount: string } {
  const bounds = [policy.per_transaction_limit_usdg, policy.daily_limit_usdg, policy.hitl_threshold_usdg];
  const most = Math.min(1, ...bounds.filter((bound) => bound > 0));
  return { to: recipientOf(policy), amount: String(most) };
}

/** The line that makes it, with a key or the name of the variable that holds one. */
export function sampleCurl(origin: string, key: string, policy: PolicyFields): string {
  return `curl ${origin}/v1/transfers \\
  -H "Authorization: Bearer ${key}" \\
  -d '${JSON.stringify(samplePayment(policy))}'`;
}
