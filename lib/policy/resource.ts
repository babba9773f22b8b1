import { formatAmount } from "@/lib/money";
import type { AmountLimits, SpendPolicy } from "@/lib/policy/spend-policy";

/** `limits` as the API writes and the database keeps it. */
export type LimitsResource = Partial<Record<"ETH", { daily: string; per_transaction: string; hitl_threshold: string }>>;

/** The policy's fields as the API writes them; `policy_id` and `updated_at` are its row's. Amounts are exact. */
export function toSpendPolicyResource(policy: SpendPolicy) {
  return {
    daily_limit_usdg: usdg(policy.dailyLimit),
    per_transaction_limit_usdg: usdg(policy.perTransactionLimit),
    allowed_recipients: [...policy.allowedRecipients],
    assets: [...policy.assets],
    active_hours: policy.activeHours,
    hitl_threshold_usdg: usdg(policy.hitlThreshold),
    time_zone: policy.timeZone,
    limits: toLimitsResource(policy.limits),
  };
}

/** The contract's names of the fields. */
export type SpendPolicyResource = ReturnType<typeof toSpendPolicyResource>;

/** The limits of assets other than USDG as decimal strings. */
export function toLimitsResource({ ETH }: SpendPolicy["limits"]): LimitsResource {
  return ETH ? { ETH: ethLimits(ETH) } : {};
}

/** The contract's names of the fields in which two policies differ, for `agent.policy.updated` and the audit log. */
export function changedFields(before: SpendPolicy, after: SpendPolicy): (keyof SpendPolicyResource)[] {
  const [old, now] = [toSpendPolicyResource(before), toSpendPolicyResource(after)];
  return (Object.keys(old) as (keyof SpendPolicyResource)[]).filter(
    (field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]),
  );
}

/** Up to 10^15 units have 16 digits at most, and those with places 15: a double writes them back digit by digit. */
function usdg(units: bigint): number {
  return Number(formatAmount(units, 6));
}

function ethLimits({ daily, perTransaction, hitlThreshold }: AmountLimits) {
  return {
    daily: formatAmount(daily, 9),
    per_transaction: formatAmount(perTransaction, 9),
    hitl_threshold: formatAmount(hitlThreshold, 9),
  };
}
