import { z } from "zod";
import { formatAmount } from "@/lib/base/money";
import { type AmountLimits, POLICY_ASSETS, type RecipientLimit, type SpendPolicy } from "@/lib/policy/spend-policy";

/** Descriptions of the limits of assets other than USDG, shared by requests and responses. */
export const LIMITS_MEANING = {
  ETH: { description: "Limits for ETH." },
  daily: { description: "The most that the agent can spend per calendar day of `time_zone`.", examples: ["0.5"] },
  per_transaction: { description: "The most that the agent can spend in one payment.", examples: ["0.1"] },
  hitl_threshold: { description: "Payments above this amount need your approval.", examples: ["0.05"] },
};

const LimitsResource = z.object({
  ETH: z
    .object({
      daily: z.string().meta(LIMITS_MEANING.daily),
      per_transaction: z.string().meta(LIMITS_MEANING.per_transaction),
      hitl_threshold: z.string().meta(LIMITS_MEANING.hitl_threshold),
    })
    .optional()
    .meta(LIMITS_MEANING.ETH),
});
/** `limits` as the API returns and the database stores it. */
type LimitsResource = z.infer<typeof LimitsResource>;

/** Descriptions of the fields of a recipient's limits, shared by requests and responses. */
export const RECIPIENT_LIMIT_MEANING = {
  recipient: {
    description:
      "A handle, an address, `*.domain` or `*`, as in `allowed_recipients`. A wildcard limits each recipient by itself.",
    examples: ["@supplier"],
  },
  per_transaction_limit_usdg: { description: "The most USDG in one payment to it; `null`: no limit of its own." },
  monthly_limit_usdg: {
    description: "The most USDG per calendar month of `time_zone` to it; `null`: no limit of its own.",
  },
};

const RecipientLimitResource = z.object({
  recipient: z.string().meta(RECIPIENT_LIMIT_MEANING.recipient),
  per_transaction_limit_usdg: z.number().nullable().meta(RECIPIENT_LIMIT_MEANING.per_transaction_limit_usdg),
  monthly_limit_usdg: z.number().nullable().meta(RECIPIENT_LIMIT_MEANING.monthly_limit_usdg),
});
/** A recipient's limits as the API returns and the database stores them. */
export type RecipientLimitResource = z.infer<typeof RecipientLimitResource>;

/** The policy's fields, under their names in the API. */
export const SpendPolicyResource = z.object({
  daily_limit_usdg: z
    .number()
    .meta({ description: "The most USDG that the agent can spend per calendar day of `time_zone`." }),
  per_transaction_limit_usdg: z
    .number()
    .meta({ description: "The most USDG that the agent can spend in one payment." }),
  allowed_recipients: z.array(z.string()).meta({
    description:
      "Who the agent can pay: handles, addresses, `*.domain` for every handle of a domain, or `*` for anyone.",
    examples: [["@supplier", "*.example.com"]],
  }),
  assets: z.array(z.enum(POLICY_ASSETS)).meta({ description: "The assets that the agent can spend." }),
  active_hours: z.string().meta({
    description:
      "When the agent can pay, as `HH:MM-HH:MM` in `time_zone`. The end is excluded; `00:00-24:00` is all day.",
    examples: ["09:00-18:00"],
  }),
  hitl_threshold_usdg: z.number().meta({ description: "Payments above this amount of USDG need your approval." }),
  time_zone: z
    .string()
    .meta({ description: "IANA time zone of `active_hours` and of the day of the daily limit.", examples: ["UTC"] }),
  limits: LimitsResource.meta({ description: "Limits for assets other than USDG, as decimal strings." }),
  monthly_limit_usdg: z.number().nullable().meta({
    description:
      "The most USDG that the agent can spend per calendar month of `time_zone`, counted since it was set; `null`: no monthly limit.",
  }),
  payments_per_day: z.number().nullable().meta({
    description:
      "The most payments that the agent can make per calendar day of `time_zone`, counted for each asset; `null`: any number.",
  }),
  recipient_limits: z.array(RecipientLimitResource).meta({
    description:
      "Limits for single recipients, such as sellers over HTTP 402, in USDG. Each entry that matches a recipient applies.",
  }),
  public_payments: z.boolean().meta({
    description:
      "Whether the agent can pay sellers over HTTP 402 that take public payments only (scheme `exact`). Anyone can see such a payment. While this is on, the service checks recipients and the chain enforces only the amounts.",
  }),
});
export type SpendPolicyResource = z.infer<typeof SpendPolicyResource>;

/** Serializes a policy's fields. `policy_id` and `updated_at` come from its row. Amounts are exact. */
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
    monthly_limit_usdg: bound(policy.monthlyLimit),
    payments_per_day: policy.paymentsPerDay,
    recipient_limits: toRecipientLimitsResource(policy.recipientLimits),
    public_payments: policy.publicPayments,
  };
}

/** Serializes the limits of assets other than USDG, as decimal strings. */
export function toLimitsResource({ ETH }: SpendPolicy["limits"]): LimitsResource {
  return ETH ? { ETH: ethLimits(ETH) } : {};
}

/** Serializes recipients' limits. */
export function toRecipientLimitsResource(limits: readonly RecipientLimit[]): RecipientLimitResource[] {
  return limits.map(({ recipient, perTransaction, monthly }) => ({
    recipient,
    per_transaction_limit_usdg: bound(perTransaction),
    monthly_limit_usdg: bound(monthly),
  }));
}

/** Returns the API names of the fields in which two policies differ, for `agent.policy.updated` and the audit log. */
export function changedFields(before: SpendPolicy, after: SpendPolicy): (keyof SpendPolicyResource)[] {
  const [old, now] = [toSpendPolicyResource(before), toSpendPolicyResource(after)];
  return (Object.keys(old) as (keyof SpendPolicyResource)[]).filter(
    (field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]),
  );
}

/**
 * Converts exactly: 10^15 units have 16 digits, and amounts with decimals at most 15, which a double reproduces digit
 * by digit.
 */
function usdg(units: bigint): number {
  return Number(formatAmount(units, 6));
}

const bound = (units: bigint | null) => (units === null ? null : usdg(units));

function ethLimits({ daily, perTransaction, hitlThreshold }: AmountLimits) {
  return {
    daily: formatAmount(daily, 9),
    per_transaction: formatAmount(perTransaction, 9),
    hitl_threshold: formatAmount(hitlThreshold, 9),
  };
}
