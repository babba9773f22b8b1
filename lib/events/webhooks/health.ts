/** How reliably an endpoint has responded. */
export interface Health {
  /** When the first failure since the last success happened. */
  failingSince: Date | null;
  /** When the current unbroken run of 410 responses began. */
  goneSince: Date | null;
  /** Failures in a row. */
  failures: number;
  pausedUntil: Date | null;
}

export const HEALTHY: Health = { failingSince: null, goneSince: null, failures: 0, pausedUntil: null };
