import type { SpendPolicy } from "@/lib/policy/spend-policy";

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
