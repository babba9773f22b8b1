/*
 * What a browser notes for later, without which everything works too. One that stores nothing (blocked, full, a private
 * window of some) has no notes, and no page fails for it.
 */

/** `localStorage`: for all tabs, for good. `sessionStorage`: for this tab. */
type Place = "localStorage" | "sessionStorage";

/** What is noted under a name; null: nothing. */
export function noted(place: Place, name: string): string | null {
  try {
    return globalThis[place].getItem(name);
  } catch {
    return null;
  }
}

/** Notes it; null takes the note away. */
export function note(place: Place, name: string, value: string | null): void {
  try {
    if (value === null) globalThis[place].removeItem(name);
    else globalThis[place].setItem(name, value);
  } catch {
    // Then it is not noted.
  }
}
