/*
 * Small notes that a browser stores for later. Everything works without them. If storage is blocked or full (as in some
 * private windows), there are no notes and no page fails.
 */

/** `localStorage` is shared by all tabs and permanent; `sessionStorage` belongs to this tab. */
type Place = "localStorage" | "sessionStorage";

/** Returns the note with this name, or null. */
export function noted(place: Place, name: string): string | null {
  try {
    return globalThis[place].getItem(name);
  } catch {
    return null;
  }
}

/** Stores a note; null deletes it. */
export function note(place: Place, name: string, value: string | null): void {
  try {
    if (value === null) globalThis[place].removeItem(name);
    else globalThis[place].setItem(name, value);
  } catch {
    // Storage is unavailable: go on without the note.
  }
}

/** Returns the names of all notes. */
export function notedNames(place: Place): string[] {
  try {
    const storage = globalThis[place];
    return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
  } catch {
    return [];
  }
}
