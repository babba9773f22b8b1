/** How an endpoint has been responding. */
export interface Health {
  /** First failure after the last success. */
  failingSince: Date | null;
  /** First of the 410s that nothing else interrupted. */
  goneSince: Date | null;
  /** Failures in a row. */
  failures: number;
  pausedUntil: Date | null;
}

export const HEALTHY: Health = { failingSince: null, goneSince: null, failures: 0, pausedUntil: null };
