/** Of the jobs served while both waited: how many of one account at most stand between two of another. */
export function mostBetween(served: readonly string[], account: string, other: string): number {
  const turns = served.flatMap((who, index) => (who === account ? [index] : []));
  const gaps = turns.slice(1).map((turn, index) => served.slice(turns[index], turn));
  return Math.max(0, ...gaps.map((gap) => gap.filter((who) => who === other).length));
}
