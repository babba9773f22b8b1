/** Returns the most jobs of `other` served between two jobs of `account`. Pass only jobs served while both waited. */
export function mostBetween(served: readonly string[], account: string, other: string): number {
  const turns = served.flatMap((who, index) => (who === account ? [index] : []));
  const gaps = turns.slice(1).map((turn, index) => served.slice(turns[index], turn));
  return Math.max(0, ...gaps.map((gap) => gap.filter((who) => who === other).length));
}
