import { parseActiveHours } from "@/lib/policy/active-hours";
import { limitsOf, type RecipientLimit, type SpendPolicy } from "@/lib/policy/spend-policy";

const DAY_MINUTES = 24 * 60;

/**
 * Reports whether a policy change could allow a payment that the old policy denied, or stop asking about one that it
 * held. Never false if it could: a change that it can't classify (another time zone, a handle that a wildcard already
 * covered) counts as loosening.
 */
export function loosens(before: SpendPolicy, after: SpendPolicy): boolean {
  return (
    after.timeZone !== before.timeZone ||
    !coversHours(before.activeHours, after.activeHours) ||
    !coversRecipients(before.allowedRecipients, after.allowedRecipients) ||
    isLooserBound(before.monthlyLimit, after.monthlyLimit) ||
    isLooserBound(before.paymentsPerDay, after.paymentsPerDay) ||
    (after.publicPayments && !before.publicPayments) ||
    !coversRecipientLimits(before.recipientLimits, after.recipientLimits) ||
    !after.assets.every((asset) => {
      const [old, now] = [limitsOf(before, asset), limitsOf(after, asset)];
      return (
        before.assets.includes(asset) &&
        now.daily <= old.daily &&
        now.perTransaction <= old.perTransaction &&
        now.hitlThreshold <= old.hitlThreshold
      );
    })
  );
}

function coversRecipients(before: readonly string[], after: readonly string[]): boolean {
  const known = new Set(before);
  return known.has("*") || after.every((entry) => known.has(entry));
}

/** A bound of null means no limit. */
function isLooserBound<N extends bigint | number>(before: N | null, after: N | null): boolean {
  return before !== null && (after === null || after > before);
}

/** Reports whether each old limit still exists for the same entry, equal or tighter. */
function coversRecipientLimits(before: readonly RecipientLimit[], after: readonly RecipientLimit[]): boolean {
  return before.every((old) => {
    const now = after.find(({ recipient }) => recipient === old.recipient);
    const tight = now ?? { perTransaction: null, monthly: null };
    return !isLooserBound(old.perTransaction, tight.perTransaction) && !isLooserBound(old.monthly, tight.monthly);
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
