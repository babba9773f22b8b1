import type { Spent } from "@/components/vault/methods/spending";

/** So many months are shown, this one among them. */
export const MONTHS = 6;
/** So many payers have a colour of their own; the others share one. */
export const NAMED = 4;
export const OTHERS = "Others";

const pad = (month: number) => String(month).padStart(2, "0");

/** The months that are shown, oldest first, as `2026-11`. */
export function monthsUntil(now: Date): string[] {
  return Array.from({ length: MONTHS }, (_, at) => {
    const first = new Date(now.getFullYear(), now.getMonth() - MONTHS + 1 + at, 1);
    return `${first.getFullYear()}-${pad(first.getMonth() + 1)}`;
  });
}

/** The moment the first of those months begins, just before: what is listed lies after it. */
export function sinceOf(now: Date): string {
  return new Date(new Date(now.getFullYear(), now.getMonth() - MONTHS + 1, 1).getTime() - 1).toISOString();
}

/** What was spent of one asset: each payer's sum by month. Sums are numbers: they are drawn, and shown rounded. */
export interface Series {
  payer: string;
  total: number;
  /** One for each month. */
  sums: number[];
}

/** The payers of an asset, the largest first; beyond the first few they are one. */
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

/** The next round number from which an axis can begin: 1, 2 or 5 with zeros. */
export function ceilingOf(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  return ([1, 2, 5, 10].find((step) => step * power >= highest) ?? 10) * power;
}
