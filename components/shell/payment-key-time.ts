const DAY_MS = 86_400_000;
/** How long before the expiry owners are warned. Clients with an unattended wallet renew by themselves. */
const WARNING_DAYS = 30;

/** A warning about the expiry of an account's payment key. */
interface PaymentKeyTime {
  /** `off`: the owner has switched it off, and only the next account secret brings another. */
  state: "ends" | "expired" | "off";
  title: string;
}

/**
 * Returns a warning if the account's keys soon can't sign payments any more, otherwise null.
 *
 * @param until the expiry on the ledger, in Unix seconds, as text
 * @param now milliseconds since 1970
 */
export function paymentKeyTime(until: string, now: number): PaymentKeyTime | null {
  if (until === "0") return { state: "off", title: "Signing is stopped: only your wallet itself can pay." };
  const left = Number(until) * 1000 - now;
  if (left <= 0) return { state: "expired", title: "Your payment key has expired: nothing can be paid." };
  const days = Math.ceil(left / DAY_MS);
  if (days > WARNING_DAYS) return null;
  return {
    state: "ends",
    title: days === 1 ? "Your payment key expires within a day." : `Your payment key expires in ${days} days.`,
  };
}
