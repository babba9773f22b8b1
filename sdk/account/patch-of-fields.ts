import { parseActiveHours } from "@/lib/policy/active-hours";
import { normaliseTimeZone } from "@/lib/policy/local-time";
import { normaliseRecipient } from "@/lib/policy/recipients";
import { type AmountLimits, POLICY_ASSETS, type RecipientLimit, type SpendPolicy } from "@/lib/policy/spend-policy";
import { HalcyonError } from "../api/errors";
import type { SpendPolicyFields } from "../api/resources/agents";

/*
 * Parses the fields of a policy exactly as the service does, so that what is signed here is what the service stores.
 * Invalid input gets the same error codes. The service's schemas are not bundled with the client.
 */

/** The largest limit of the API, in whole units of an asset. */
const MOST = 1_000_000_000n;

const isCount = (value: number) => Number.isInteger(value) && value >= 0 && value <= 1_000_000;

function refuse(param: string, message: string): never {
  throw new HalcyonError("invalid_policy", message, { param });
}

/** Parses a decimal text of 0 or more into units. Unlike an amount, a limit may be zero. */
function limitUnits(param: string, value: number | string, decimals: 6 | 9): bigint {
  const match = new RegExp(`^(0|[1-9][0-9]{0,9})(?:\\.([0-9]{1,${decimals}}))?$`).exec(String(value));
  const units = match ? BigInt((match[1] ?? "") + (match[2] ?? "").padEnd(decimals, "0")) : null;
  if (units !== null && units <= MOST * 10n ** BigInt(decimals)) return units;
  return refuse(param, `${param} is a limit from 0 to 1,000,000,000 with up to ${decimals} decimal places.`);
}

function recipientsOf(entries: readonly string[]): string[] {
  const normalised = entries.map((entry, index) => recipientOf(`allowed_recipients.${index}`, entry));
  return [...new Set(normalised)];
}

function recipientOf(param: string, entry: string): string {
  return (
    normaliseRecipient(entry) ?? refuse(param, 'Name an @handle, a 0x address, "*" for anyone, or "*." and a domain.')
  );
}

/** Parses an optional limit: `null` means none, as does a field that an older service leaves out. */
function bound(param: string, value: number | null | undefined): bigint | null {
  return value === null || value === undefined ? null : limitUnits(param, value, 6);
}

function recipientLimitsOf(limits: NonNullable<SpendPolicyFields["recipient_limits"]>): RecipientLimit[] {
  const read = limits.map((limit, index) => {
    const path = `recipient_limits.${index}`;
    const perTransaction = bound(`${path}.per_transaction_limit_usdg`, limit.per_transaction_limit_usdg);
    const monthly = bound(`${path}.monthly_limit_usdg`, limit.monthly_limit_usdg);
    if (perTransaction === null && monthly === null) {
      refuse(path, "Send recipient, and per_transaction_limit_usdg or monthly_limit_usdg or both.");
    }
    return { recipient: recipientOf(`${path}.recipient`, limit.recipient), perTransaction, monthly };
  });
  if (new Set(read.map(({ recipient }) => recipient)).size !== read.length) {
    refuse("recipient_limits", "Name each recipient once.");
  }
  return read;
}

function ethLimits({ ETH }: NonNullable<SpendPolicyFields["limits"]>): { ETH?: AmountLimits } {
  if (!ETH) return {};
  const limit = (name: keyof typeof ETH) => limitUnits(`limits.ETH.${name}`, ETH[name], 9);
  const limits = { daily: limit("daily"), perTransaction: limit("per_transaction") };
  return { ETH: { ...limits, hitlThreshold: limit("hitl_threshold") } };
}

/**
 * Returns the changes that the given fields make to a policy.
 *
 * @throws HalcyonError `invalid_policy` naming the field
 */
export function patchOfFields(fields: SpendPolicyFields): Partial<SpendPolicy> {
  const { allowed_recipients, assets, active_hours, time_zone, limits } = fields;
  const { monthly_limit_usdg, payments_per_day, recipient_limits, public_payments } = fields;
  const usdg = (name: "daily_limit_usdg" | "per_transaction_limit_usdg" | "hitl_threshold_usdg") => {
    const value = fields[name];
    return value === undefined ? undefined : limitUnits(name, value, 6);
  };
  if (active_hours !== undefined && parseActiveHours(active_hours) === null) {
    refuse("active_hours", 'Send a range as "09:00-18:00". All day is "00:00-24:00".');
  }
  const zone = time_zone === undefined ? undefined : normaliseTimeZone(time_zone);
  if (zone === null) refuse("time_zone", 'Name a time zone of the IANA database, as "Europe/Zurich" or "UTC".');
  if (assets?.some((symbol) => !POLICY_ASSETS.includes(symbol))) {
    refuse("assets", 'List the assets the agent may spend: "USDG", "ETH".');
  }
  if (payments_per_day !== undefined && payments_per_day !== null && !isCount(payments_per_day)) {
    refuse("payments_per_day", "Send a whole number of payments from 0 to 1,000,000, or null for any number.");
  }
  if (public_payments !== undefined && typeof public_payments !== "boolean") {
    refuse("public_payments", "public_payments is true or false.");
  }
  const patch: Partial<{ [Name in keyof SpendPolicy]: SpendPolicy[Name] | undefined }> = {
    dailyLimit: usdg("daily_limit_usdg"),
    perTransactionLimit: usdg("per_transaction_limit_usdg"),
    hitlThreshold: usdg("hitl_threshold_usdg"),
    allowedRecipients: allowed_recipients && recipientsOf(allowed_recipients),
    assets: assets && [...new Set(assets)],
    activeHours: active_hours,
    timeZone: zone,
    limits: limits && ethLimits(limits),
    monthlyLimit: monthly_limit_usdg === undefined ? undefined : bound("monthly_limit_usdg", monthly_limit_usdg),
    paymentsPerDay: payments_per_day,
    recipientLimits: recipient_limits && recipientLimitsOf(recipient_limits),
    publicPayments: public_payments,
  };
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<SpendPolicy>;
}
