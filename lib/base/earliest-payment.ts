const DAY_MS = 86_400_000;

/**
 * Returns since when a run can have been paid, by whatever version of its schedule. For the same date, versions may
 * have other times, time zones and weekend rules, and no two clocks agree. It is at least a day before the run is due.
 */
export function earliestPayment(date: string): Date {
  return new Date(Date.parse(date) - 4 * DAY_MS);
}

/** Returns since when runs can have been paid whose window, of up to 30 days, has not ended. */
export function earliestOpenPayment(now: Date): Date {
  return new Date(now.getTime() - 38 * DAY_MS);
}
