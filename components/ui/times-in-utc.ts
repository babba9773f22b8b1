/*
 * Whether this page shows all times in UTC. A time's title shows it too, but no keyboard reaches a title, and a stop
 * for each time of a table would be in the keyboard's way.
 */

let inUtc = false;
const listeners = new Set<() => void>();

/** Returns whether this page shows all times in UTC. */
export const timesInUtc = (): boolean => inUtc;

/** Shows all times of this page in UTC, or in the reader's time zone again. */
export function switchTimes(): void {
  inUtc = !inUtc;
  for (const listener of listeners) listener();
}

/** Calls the listener when that changes. Returns a function that unsubscribes. */
export function onTimes(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
