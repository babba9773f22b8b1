/** Until when sending to each failing endpoint is paused, by id. */
export type Pauses = ReadonlyMap<string, Date>;

/** Returns the pauses of some endpoints, without those that are not paused. */
export function pausesOf(endpoints: readonly { id: string; pausedUntil: Date | null }[]): Pauses {
  return new Map(endpoints.flatMap(({ id, pausedUntil }) => (pausedUntil ? [[id, pausedUntil] as const] : [])));
}
