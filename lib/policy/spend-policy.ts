/** Symbols of the assets a policy can speak of. */
export const POLICY_ASSETS = ["USDG", "ETH"] as const;
export type PolicyAsset = (typeof POLICY_ASSETS)[number];

/** Bounds on an agent's payments in one asset, in its units. */
export interface AmountLimits {
  /** Of one calendar day in the policy's zone. */
  daily: bigint;
  perTransaction: bigint;
  /** Payments of strictly more are held for the owner. */
  hitlThreshold: bigint;
}

/** Bounds on what an agent pays one recipient, in units of USDG. Null bounds nothing. */
export interface RecipientLimit {
  /** As an entry of `allowedRecipients`. A pattern bounds each recipient that it names by itself. */
  recipient: string;
  perTransaction: bigint | null;
  /** Of one calendar month in the policy's zone. */
  monthly: bigint | null;
}

/** What an agent may do by itself (docs/contract-notes.md "Agents and policy"). USDG in units of 6 places, ETH of 9. */
export interface SpendPolicy {
  dailyLimit: bigint;
  perTransactionLimit: bigint;
  hitlThreshold: bigint;
  /** As {@link normaliseRecipient} writes them: `@bob`, `@alice/bot`, a lower-case 0x address, `*`, `*.example.com`. */
  allowedRecipients: readonly string[];
  assets: readonly PolicyAsset[];
  /** `HH:MM-HH:MM`, the end not included. */
  activeHours: string;
  /** IANA name. */
  timeZone: string;
  /** Of assets other than USDG. Without a row an asset's limits are zero. */
  limits: { readonly ETH?: AmountLimits };
  /** USDG of one calendar month in the policy's zone; null: no limit of its own. */
  monthlyLimit: bigint | null;
  /** Payments of one calendar day, of each asset by itself; null: any number. */
  paymentsPerDay: number | null;
  /** All that name a recipient count. Each recipient at most once. */
  recipientLimits: readonly RecipientLimit[];
  /**
   * Whether sellers over HTTP 402 may be paid that take public payments only (scheme `exact`). Each is paid through a one-time
   * address, so the ledger then checks no recipient of the policy at all.
   */
  publicPayments: boolean;
}

/** The policy of an agent about which nothing was said: it pays no one. */
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

/** The bounds on payments in an asset. */
export function limitsOf(policy: SpendPolicy, asset: PolicyAsset): AmountLimits {
  if (asset !== "USDG") return policy.limits[asset] ?? NOTHING;
  return {
    daily: policy.dailyLimit,
    perTransaction: policy.perTransactionLimit,
    hitlThreshold: policy.hitlThreshold,
  };
}

/** The policy with the fields of `patch` in place of its own; `limits` is one field. */
export function applyPatch(policy: SpendPolicy, patch: Partial<SpendPolicy>): SpendPolicy {
  return { ...policy, ...patch };
}
