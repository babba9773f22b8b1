const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** From here on seconds are shown. */
const SOON_MS = 10 * MINUTE;

/** How long is left until a moment: `23 h 5 min`, `42 min`, `9:07`; null once it has passed. */
export function timeLeft(milliseconds: number): string | null {
  if (milliseconds <= 0) return null;
  if (milliseconds >= HOUR) {
    const minutes = Math.floor(milliseconds / MINUTE);
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }
  if (milliseconds >= SOON_MS) return `${Math.floor(milliseconds / MINUTE)} min`;
  // A second that has begun is left: it never says 0:00 while something can still be done.
  const seconds = Math.ceil(milliseconds / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Whether there is little time left. */
export function endsSoon(milliseconds: number): boolean {
  return milliseconds < SOON_MS;
}
