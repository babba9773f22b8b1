const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Below this, the time left includes seconds. */
const SOON_MS = 10 * MINUTE;

/** Formats a duration: `23 h 5 min`, `42 min`, `9:07`. Returns null if it is over. */
export function timeLeft(milliseconds: number): string | null {
  if (milliseconds <= 0) return null;
  if (milliseconds >= HOUR) {
    const minutes = Math.floor(milliseconds / MINUTE);
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }
  if (milliseconds >= SOON_MS) return `${Math.floor(milliseconds / MINUTE)} min`;
  // Rounded up, so that it never shows 0:00 while there is still time.
  const seconds = Math.ceil(milliseconds / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Returns whether little time is left. */
export function endsSoon(milliseconds: number): boolean {
  return milliseconds < SOON_MS;
}
