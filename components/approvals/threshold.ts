import { decimalsOf } from "@/components/money/decimals-of";
import { toUnits } from "@/components/money/units";
import type { PolicyFields } from "@/lib/policy/spend-policy";

/** Returns an agent's approval threshold and daily limit in one asset, as decimal strings. */
export function boundsOf(policy: PolicyFields, asset: string): { threshold: string; daily: string } {
  if (asset === "USDG") {
    return { threshold: String(policy.hitl_threshold_usdg), daily: String(policy.daily_limit_usdg) };
  }
  const limits = policy.limits[asset as keyof PolicyFields["limits"]];
  return { threshold: limits?.hitl_threshold ?? "0", daily: limits?.daily ?? "0" };
}

/**
 * Returns why the agent asked, by the policy as it is now.
 *
 * @returns `always`: every payment needs approval; `above`: the amount is above the threshold; `changed`: under today's
 *   policy it would not need approval
 */
export function whyHeld(amount: string, threshold: string, asset: string): "always" | "above" | "changed" {
  if (threshold === "0") return "always";
  const decimals = decimalsOf(asset);
  return toUnits(amount, decimals) > toUnits(threshold, decimals) ? "above" : "changed";
}

/** Returns whether the payment exceeds what is left of the agent's daily limit. */
export function isOverDay(amount: string, spent: string, daily: string, asset: string): boolean {
  const decimals = decimalsOf(asset);
  return toUnits(spent, decimals) + toUnits(amount, decimals) > toUnits(daily, decimals);
}
