import { ApiError } from "@/lib/base/errors";

const DAY = 86_400;
/** A year, plus a day for clocks that differ and leap years. */
const MOST_DAYS = 366;
const LEAST_DAYS = 1;

/**
 * Checks until when a new payment key is to be valid. The limit ensures that a leaked key stops working by
 * itself.
 *
 * @param seconds Unix time
 * @throws ApiError `invalid_request` unless it is one to 366 days ahead
 */
export function requirePaymentKeyUntil(seconds: string, now = new Date()): bigint {
  const ahead = Number(seconds) - now.getTime() / 1000;
  if (ahead >= LEAST_DAYS * DAY && ahead <= MOST_DAYS * DAY) return BigInt(seconds);
  const message = "A payment key is valid for at least 1 day and at most 366 days.";
  throw new ApiError("invalid_request", message, { param: "payment_key_until" });
}

/** Returns the error for a payment whose signing key has expired, or will before the payment could be final. */
export function paymentKeyExpired(): ApiError {
  return new ApiError(
    "key_forbidden",
    "The account's payment key has expired or is switched off: its API keys cannot pay until the owner renews it in " +
      "the dashboard's settings or with `halcyon renew-payment-key`, or rotates the account secret.",
  );
}
