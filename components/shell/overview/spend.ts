import type { DayFlow, Spent } from "@/components/vault/methods/spending";

/** How many months to show, including the current one. */
export const MONTHS = 6;
/** How many payers get their own color. The others share one. */
const NAMED = 4;
export const OTHERS = "Others";

const pad = (month: number) => String(month).padStart(2, "0");

/** Returns the months to show, oldest first, as `2026-11`. */
export function monthsUntil(now: Date): string[] {
  return Array.from({ length: MONTHS }, (_, at) => {
    const first = new Date(now.getFullYear(), now.getMonth() - MONTHS + 1 + at, 1);
    return `${first.getFullYear()}-${pad(first.getMonth() + 1)}`;
  });
}

/** Returns the moment just before the first of those months, since the API's bound is exclusive. */
export function sinceOf(now: Date): string {
  return new Date(new Date(now.getFullYear(), now.getMonth() - MONTHS + 1, 1).getTime() - 1).toISOString();
}

/** How many days to show, including the current one. */
const DAYS_SHOWN = 30;

/** Returns the days to show, oldest first, as `2026-11-30`. */
export function daysUntil(now: Date): string[] {
  return Array.from({ length: DAYS_SHOWN }, (_, at) => {
    const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS_SHOWN + 1 + at);
    return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  });
}

/** What came in and went out on each of some days, in one asset, as numbers: they are only drawn and shown rounded. */
export interface Flows {
  paidIn: number[];
  paidOut: number[];
}

/**
 * Returns what came in and went out on each day.
 *
 * @param of handle of the account or agent; of all if left out
 */
export function flowsOf(flows: readonly DayFlow[], asset: string, days: readonly string[], of?: string): Flows {
  const sums: Flows = { paidIn: days.map(() => 0), paidOut: days.map(() => 0) };
  for (const flow of flows) {
    const at = days.indexOf(flow.day);
    if (flow.asset !== asset || at < 0 || (of !== undefined && flow.of !== of)) continue;
    const side = flow.direction === "in" ? sums.paidIn : sums.paidOut;
    side[at] = (side[at] ?? 0) + Number(flow.amount);
  }
  return sums;
}

/** The spending of one payer in one asset, by month. The sums are numbers: they are only drawn and shown rounded. */
export interface Series {
  payer: string;
  total: number;
  /** One sum for each month. */
  sums: number[];
}

/** Returns the payers of an asset, largest first. Those beyond the first few are combined. */
export function seriesOf(spent: readonly Spent[], asset: string, months: readonly string[]): Series[] {
  const found = new Map<string, Series>();
  for (const { month, payer, amount, ...of } of spent) {
    const at = months.indexOf(month);
    if (of.asset !== asset || at < 0) continue;
    const series = found.get(payer) ?? { payer, total: 0, sums: months.map(() => 0) };
    series.sums[at] = (series.sums[at] ?? 0) + Number(amount);
    series.total += Number(amount);
    found.set(payer, series);
  }
  const sorted = [...found.values()].sort((a, b) => b.total - a.total);
  if (sorted.length <= NAMED + 1) return sorted;
  const rest = sorted.slice(NAMED);
  const others: Series = {
    payer: OTHERS,
    total: rest.reduce((sum, { total }) => sum + total, 0),
    sums: months.map((_, at) => rest.reduce((sum, { sums }) => sum + (sums[at] ?? 0), 0)),
  };
  return [...sorted.slice(0, NAMED), others];
}

/** Formats a sum as every other amount is written, whatever the reader's language: `1,234.50`, never `1.234,50`. */
export const rounded = (sum: number) =>
  sum.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: sum < 1 ? 9 : 2 });

/** Formats a sum in three digits, such as `1.23K`, to stand below a column. */
export const compact = (sum: number) =>
  sum.toLocaleString("en-US", { notation: "compact", maximumSignificantDigits: sum < 1 ? 2 : 3 });

/** Returns the next round number for the top of the axis: 1, 2 or 5 times a power of ten. */
export function ceilingOf(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  return ([1, 2, 5, 10].find((step) => step * power >= highest) ?? 10) * power;
}
