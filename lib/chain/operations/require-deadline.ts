import { clocksOf } from "@/lib/base/clock";
import { ApiError } from "@/lib/base/errors";

/** The ledger accepts no deadline further ahead. Calls without a deadline are relayed for at most as long. */
const LONGEST_SECONDS = 24 * 3600;
const LEAST_SECONDS = 30;

/**
 * Converts a deadline in Unix seconds to a Date.
 *
 * @throws ApiError `invalid_request` naming `param` unless the deadline is half a minute to 24 hours ahead
 */
export function requireDeadline(seconds: string, param: string, now = new Date()): Date {
  const ahead = Number(seconds) - now.getTime() / 1000;
  const deadline = new Date(Number(seconds) * 1000);
  if (ahead >= LEAST_SECONDS && ahead <= LONGEST_SECONDS + LEAST_SECONDS) return deadline;
  const message = `Choose a time between half a minute and 24 hours ahead.${clocksOf(deadline, now)}`;
  throw new ApiError("invalid_request", message, { param });
}
