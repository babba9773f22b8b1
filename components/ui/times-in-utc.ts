import { useSyncExternalStore } from "react";

/*
 * Whether this page shows all times in UTC. A time's title shows it too, but no keyboard reaches a title, and a stop
 * for each time of a table would be in the keyboard's way.
 */

let inUtc = false;
const listeners = new Set<() => void>();

/** Shows all times of this page in UTC, or in the reader's time zone. */
export function showTimesInUtc(wanted: boolean): void {
  if (wanted === inUtc) return;
  inUtc = wanted;
  for (const listener of listeners) listener();
}

/** Returns whether this page shows all times in UTC. */
export const timesInUtc = (): boolean => inUtc;

/** Calls the listener when that changes. Returns a function that unsubscribes. */
export function onTimes(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns whether this page shows all times in UTC. False on the server and during hydration. */
export function useTimesInUtc(): boolean {
  return useSyncExternalStore(onTimes, timesInUtc, () => false);
}
