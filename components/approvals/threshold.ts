import { unitsOf } from "@/components/money/units";
import type { Decimals } from "@/lib/money";
import type { PolicyFields } from "@/lib/policy/in-words";

/** Decimal places of the assets policies speak of. */
export function decimalsOf(asset: string): Decimals {
  return asset === "USDG" ? 6 : 9;
}

/** The most an agent pays without asking, and in a day, in one asset; decimal strings. */
export function boundsOf(policy: PolicyFields, asset: string): { threshold: string; daily: string } {
  if (asset === "USDG") {
    return { threshold: String(policy.hitl_threshold_usdg), daily: String(policy.daily_limit_usdg) };
  }
  const limits = policy.limits[asset as keyof PolicyFields["limits"]];
  return { threshold: limits?.hitl_threshold ?? "0", daily: limits?.daily ?? "0" };
}

/**
 * Why the agent asked, by the policy as it is now.
 *
 * @returns `always`: every payment is asked for; `above`: this one is over the threshold; `changed`: today it would not
 *   be asked for any more
 */
export function whyHeld(amount: string, threshold: string, asset: string): "always" | "above" | "changed" {
  if (threshold === "0") return "always";
  const decimals = decimalsOf(asset);
  return unitsOf(amount, decimals) > unitsOf(threshold, decimals) ? "above" : "changed";
}

/** Whether the payment goes beyond what the agent may spend on this day. */
export function isOverDay(amount: string, spent: string, daily: string, asset: string): boolean {
  const decimals = decimalsOf(asset);
  return unitsOf(spent, decimals) + unitsOf(amount, decimals) > unitsOf(daily, decimals);
}
