import type { PolicyFields } from "@/lib/policy/in-words";
import { POLICY_ASSETS, type PolicyAsset } from "@/lib/policy/spend-policy";

/** An agent as the pages are rendered with: everything about it that is not encrypted. */
export interface AgentSummary {
  account_id: string;
  handle: string;
  status: "active" | "paused" | "ended";
  policy: PolicyFields;
  /** Keys that work. */
  keys: number;
  /** Payments that wait for the owner. */
  pending: number;
}

/** The daily limit in an asset, as a decimal string; `0` without one. */
export function dailyLimitOf(policy: PolicyFields, asset: string): string {
  return asset === "USDG" ? String(policy.daily_limit_usdg) : (policy.limits.ETH?.daily ?? "0");
}

/** The assets an agent's figures are shown in: what it may spend, and USDG in any case. */
export function shownAssets({ assets }: PolicyFields): PolicyAsset[] {
  return POLICY_ASSETS.filter((asset) => asset === "USDG" || assets.includes(asset));
}

/** What stands after the slash of a handle. */
export function nameOf(handle: string): string {
  return handle.split("/")[1] ?? handle;
}

/** So many of an agent's newest transfers are on its page. */
export const RECENT = 5;
