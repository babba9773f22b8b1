/** Of the jobs served while both waited: how many of one account at most stand between two of another. */
export function mostBetween(served: readonly string[], account: string, other: string): number {
  const places = served.flatMap((who, index) => (who === account ? [index] : []));
  const gaps = places.slice(1).map((place, index) => served.slice(places[index], place));
  return Math.max(0, ...gaps.map((gap) => gap.filter((who) => who === other).length));
}
