import { grouped } from "@/components/ui/amount";
import type { RuleName } from "@/lib/policy/decide";
import { recipientInWords, recipientLimitInWords } from "@/lib/policy/number-words";
import type { PolicyFields } from "@/lib/policy/spend-policy";

/** The names of a policy's fields. */
export const FIELD_NAMES: Record<keyof PolicyFields, string> = {
  daily_limit_usdg: "Per day",
  per_transaction_limit_usdg: "Per payment",
  hitl_threshold_usdg: "Ask me above",
  allowed_recipients: "Recipients",
  assets: "Assets",
  limits: "ETH limits",
  active_hours: "Active hours",
  time_zone: "Time zone",
  monthly_limit_usdg: "Per month",
  payments_per_day: "Payments per day",
  recipient_limits: "By recipient",
  public_payments: "Public sellers",
};

const usdg = (amount: number) => `${grouped(String(amount))} USDG`;

/** Returns a field's value in a few words. */
export function valueInWords(policy: PolicyFields, field: keyof PolicyFields): string {
  switch (field) {
    case "daily_limit_usdg":
    case "per_transaction_limit_usdg":
    case "hitl_threshold_usdg":
      return usdg(policy[field]);
    case "allowed_recipients":
      return policy.allowed_recipients.map(recipientInWords).join(", ") || "No one";
    case "assets":
      return policy.assets.join(", ") || "None";
    case "limits": {
      const { ETH } = policy.limits;
      return ETH ? `${ETH.daily} a day, ${ETH.per_transaction} at a time, ask above ${ETH.hitl_threshold}` : "None";
    }
    case "active_hours":
      return policy.active_hours === "00:00-24:00" ? "At any time" : policy.active_hours;
    case "time_zone":
      return policy.time_zone;
    case "monthly_limit_usdg":
      return policy.monthly_limit_usdg === null ? "No limit" : usdg(policy.monthly_limit_usdg);
    case "payments_per_day":
      return policy.payments_per_day === null ? "Any number" : String(policy.payments_per_day);
    case "recipient_limits":
      return policy.recipient_limits.map(recipientLimitInWords).join("; ") || "None";
    case "public_payments":
      return policy.public_payments ? "Allowed over HTTP 402" : "Not allowed";
  }
}

/** Why each rule refuses a payment, from the owner's point of view. */
export const REASONS: Record<RuleName, string> = {
  agent_paused: "Agent is paused",
  asset_not_allowed: "Asset not allowed",
  recipient_not_allowed: "Recipient not allowed",
  public_payments_not_allowed: "Takes public payments only",
  outside_active_hours: "Outside active hours",
  per_transaction_limit: "Over the limit per payment",
  daily_limit: "Over the daily limit",
  monthly_limit: "Over the monthly limit",
  payments_per_day: "Too many payments today",
  recipient_transaction_limit: "Over this recipient's limit per payment",
  recipient_monthly_limit: "Over this recipient's monthly limit",
  approval_threshold: "Waits for you",
};
