import { POLICY_ASSETS, type PolicyAsset } from "@/lib/policy/amount-limits";
import type { PolicyFields } from "@/lib/policy/spend-policy";

/** An agent as the server renders it: everything about it that is not encrypted. */
export interface AgentSummary {
  account_id: string;
  handle: string;
  status: "active" | "paused" | "ended";
  policy: PolicyFields;
  /** How many of its API keys are active. */
  keys: number;
  /** How many of its payments wait for the owner's approval. */
  pending: number;
}

/** Returns the daily limit in an asset as a decimal string; `0`, which allows nothing, if the policy names none. */
export function dailyLimitOf(policy: PolicyFields, asset: string): string {
  return asset === "USDG" ? String(policy.daily_limit_usdg) : (policy.limits.ETH?.daily ?? "0");
}

/** Reports whether a policy lets the agent spend any of an asset. */
export function canSpend(policy: PolicyFields, asset: PolicyAsset): boolean {
  return policy.assets.includes(asset) && Number(dailyLimitOf(policy, asset)) > 0;
}

/** Returns the assets to show an agent's figures in: those it may spend, and always USDG. */
export function shownAssets({ assets }: PolicyFields): PolicyAsset[] {
  return POLICY_ASSETS.filter((asset) => asset === "USDG" || assets.includes(asset));
}

/** How many of an agent's waiting payments its page shows. */
export const WAITING_SHOWN = 20;

/** How many of an agent's newest transfers its page shows. */
export const RECENT = 5;
