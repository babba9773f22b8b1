/** Symbols of the assets that a policy can list. */
export const POLICY_ASSETS = ["USDG", "ETH"] as const;
export type PolicyAsset = (typeof POLICY_ASSETS)[number];

/** Limits on an agent's payments in one asset, in units of the asset. */
export interface AmountLimits {
  /** Per calendar day in the policy's time zone. */
  daily: bigint;
  perTransaction: bigint;
  /** Payments above this amount, not equal to it, wait for the owner's approval. */
  hitlThreshold: bigint;
}

/** Limits on what an agent pays one recipient, in units of USDG. Null means no limit. */
export interface RecipientLimit {
  /** An entry as in `allowedRecipients`. A pattern limits each recipient it matches separately. */
  recipient: string;
  perTransaction: bigint | null;
  /** Per calendar month in the policy's time zone. */
  monthly: bigint | null;
}

/**
 * What an agent may do on its own (docs/contract-notes.md "Agents and policy"). USDG amounts have 6 decimals, ETH
 * amounts 9.
 */
export interface SpendPolicy {
  dailyLimit: bigint;
  perTransactionLimit: bigint;
  hitlThreshold: bigint;
  /** Normalized by {@link normaliseRecipient}: `@bob`, `@alice/bot`, a lower-case 0x address, `*`, `*.example.com`. */
  allowedRecipients: readonly string[];
  assets: readonly PolicyAsset[];
  /** `HH:MM-HH:MM`, with an exclusive end. */
  activeHours: string;
  /** IANA name of the time zone. */
  timeZone: string;
  /** Limits of assets other than USDG. An asset without an entry has limits of zero. */
  limits: { readonly ETH?: AmountLimits };
  /** USDG per calendar month in the policy's time zone; null: no monthly limit. */
  monthlyLimit: bigint | null;
  /** Payments per calendar day, for each asset separately; null: no limit. */
  paymentsPerDay: number | null;
  /** Every entry that matches a recipient applies. Each recipient is listed at most once. */
  recipientLimits: readonly RecipientLimit[];
  /**
   * Whether the agent may pay sellers over HTTP 402 that take only public payments (scheme `exact`). Each such payment
   * goes through a one-time address, so the ledger then checks none of the policy's recipients.
   */
  publicPayments: boolean;
}

/** The policy of an agent for which nothing was set: it can't pay anyone. */
export const DENY_ALL: SpendPolicy = {
  dailyLimit: 0n,
  perTransactionLimit: 0n,
  hitlThreshold: 0n,
  allowedRecipients: [],
  assets: ["USDG"],
  activeHours: "00:00-24:00",
  timeZone: "UTC",
  limits: {},
  monthlyLimit: null,
  paymentsPerDay: null,
  recipientLimits: [],
  publicPayments: false,
};

const NOTHING: AmountLimits = { daily: 0n, perTransaction: 0n, hitlThreshold: 0n };

/** Returns the limits on payments in an asset. */
export function limitsOf(policy: SpendPolicy, asset: PolicyAsset): AmountLimits {
  if (asset !== "USDG") return policy.limits[asset] ?? NOTHING;
  return {
    daily: policy.dailyLimit,
    perTransaction: policy.perTransactionLimit,
    hitlThreshold: policy.hitlThreshold,
  };
}

/** Returns the policy with the fields of `patch` replaced. `limits` is replaced as a whole. */
export function applyPatch(policy: SpendPolicy, patch: Partial<SpendPolicy>): SpendPolicy {
  return { ...policy, ...patch };
}
