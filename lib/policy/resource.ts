import { z } from "zod";
import { formatAmount } from "@/lib/money";
import { type AmountLimits, POLICY_ASSETS, type SpendPolicy } from "@/lib/policy/spend-policy";

const LimitsResource = z.object({
  ETH: z.object({ daily: z.string(), per_transaction: z.string(), hitl_threshold: z.string() }).optional(),
});
/** `limits` as the API writes and the database keeps it. */
type LimitsResource = z.infer<typeof LimitsResource>;

/** The policy's fields under the contract's names. */
export const SpendPolicyResource = z.object({
  daily_limit_usdg: z.number().meta({ description: "Most USDG in one calendar day of `time_zone`." }),
  per_transaction_limit_usdg: z.number().meta({ description: "Most USDG in one payment." }),
  allowed_recipients: z.array(z.string()).meta({
    description: "Handles, addresses, `*.domain`, or `*` for anyone.",
    examples: [["@supplier", "*.example.com"]],
  }),
  assets: z.array(z.enum(POLICY_ASSETS)).meta({ description: "Assets the agent may spend." }),
  active_hours: z.string().meta({ description: "`HH:MM-HH:MM`, the end not included.", examples: ["09:00-18:00"] }),
  hitl_threshold_usdg: z.number().meta({ description: "Payments of strictly more USDG are held for the owner." }),
  time_zone: z.string().meta({ description: "IANA name of the zone of hours and day.", examples: ["UTC"] }),
  limits: LimitsResource.meta({ description: "Limits of assets other than USDG, as decimal strings." }),
});
export type SpendPolicyResource = z.infer<typeof SpendPolicyResource>;

/** The policy's fields as the API writes them; `policy_id` and `updated_at` are its row's. Amounts are exact. */
export function toSpendPolicyResource(policy: SpendPolicy): SpendPolicyResource {
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
