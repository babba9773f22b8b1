import { parseActiveHours } from "@/lib/policy/active-hours";
import {
  type AmountLimits,
  limitsOf,
  type PolicyAsset,
  type RecipientLimit,
  type SpendPolicy,
} from "@/lib/policy/spend-policy";

const DAY_MINUTES = 24 * 60;

type Change = (before: SpendPolicy, after: SpendPolicy) => boolean;

/** Limits of an asset, each of which loosens when it grows. The type forces every limit to be here. */
const UPPER_BOUNDS: Record<keyof AmountLimits, true> = { daily: true, perTransaction: true, hitlThreshold: true };

const grows = (before: AmountLimits, after: AmountLimits) =>
  (Object.keys(UPPER_BOUNDS) as (keyof AmountLimits)[]).some((limit) => after[limit] > before[limit]);

/** Whether the limits of an asset that may still be paid grow. */
const assetGrows =
  (isOf: (asset: PolicyAsset) => boolean): Change =>
  (before, after) =>
    after.assets.some((asset) => isOf(asset) && grows(limitsOf(before, asset), limitsOf(after, asset)));
const usdgGrows = assetGrows((asset) => asset === "USDG");

/** Whether a change of each rule loosens a policy. The type forces every rule to be here: none is ignored. */
const LOOSENED: Record<keyof SpendPolicy, Change> = {
  dailyLimit: usdgGrows,
  perTransactionLimit: usdgGrows,
  hitlThreshold: usdgGrows,
  limits: assetGrows((asset) => asset !== "USDG"),
  assets: (before, after) => !after.assets.every((asset) => before.assets.includes(asset)),
  allowedRecipients: (before, after) => !coversRecipients(before.allowedRecipients, after.allowedRecipients),
  recipientLimits: (before, after) => !coversRecipientLimits(before.recipientLimits, after.recipientLimits),
  activeHours: (before, after) => !coversHours(before.activeHours, after.activeHours),
  timeZone: (before, after) => after.timeZone !== before.timeZone,
  monthlyLimit: (before, after) => isLooserBound(before.monthlyLimit, after.monthlyLimit),
  paymentsPerDay: (before, after) => isLooserBound(before.paymentsPerDay, after.paymentsPerDay),
  publicPayments: (before, after) => after.publicPayments && !before.publicPayments,
};

/**
 * Reports whether a policy change could allow a payment that the old policy denied, or stop asking about one that it
 * held. Never false if it could: a change that it can't classify (another time zone, a handle that a wildcard already
 * covered) counts as loosening.
 */
export function loosens(before: SpendPolicy, after: SpendPolicy): boolean {
  return Object.values(LOOSENED).some((isLooser) => isLooser(before, after));
}

function coversRecipients(before: readonly string[], after: readonly string[]): boolean {
  const known = new Set(before);
  return known.has("*") || after.every((entry) => known.has(entry));
}

/** A bound of null means no limit. */
function isLooserBound<N extends bigint | number>(before: N | null, after: N | null): boolean {
  return before !== null && (after === null || after > before);
}

/** Bounds of a recipient, as {@link UPPER_BOUNDS}. */
const RECIPIENT_BOUNDS: Record<Exclude<keyof RecipientLimit, "recipient">, true> = {
  perTransaction: true,
  monthly: true,
};

/** Reports whether each old limit still exists for the same entry, equal or tighter. */
function coversRecipientLimits(before: readonly RecipientLimit[], after: readonly RecipientLimit[]): boolean {
  return before.every((old) => {
    const now = after.find(({ recipient }) => recipient === old.recipient);
    const bounds = Object.keys(RECIPIENT_BOUNDS) as (keyof typeof RECIPIENT_BOUNDS)[];
    return bounds.every((bound) => !isLooserBound(old[bound], now?.[bound] ?? null));
  });
}

function coversHours(before: string, after: string): boolean {
  const [old, now] = [minutesOf(before), minutesOf(after)];
  return now.every((active, minute) => !active || old[minute]);
}

/** Returns for each minute of the day whether it is active. */
function minutesOf(activeHours: string): boolean[] {
  const range = parseActiveHours(activeHours);
  if (!range) throw new RangeError("a policy's active hours are HH:MM-HH:MM");
  const { start, end } = range;
  return Array.from({ length: DAY_MINUTES }, (_, minute) =>
    start < end ? start <= minute && minute < end : minute >= start || minute < end,
  );
}
