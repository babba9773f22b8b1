/** Until when nothing is sent to each endpoint that keeps failing, by its id. */
export type Pauses = ReadonlyMap<string, Date>;

/** The pauses of some endpoints; those that have none are left out. */
export function pausesOf(endpoints: readonly { id: string; pausedUntil: Date | null }[]): Pauses {
  return new Map(endpoints.flatMap(({ id, pausedUntil }) => (pausedUntil ? [[id, pausedUntil] as const] : [])));
}
