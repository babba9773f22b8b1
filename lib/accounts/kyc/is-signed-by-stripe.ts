import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_SECONDS = 300;

/**
 * Reports whether Stripe signed a webhook (https://docs.stripe.com/webhooks#verify-manually). `Stripe-Signature` holds
 * `t=<seconds>` and one or more `v1=<HMAC-SHA256 of "t.body", hex>`; more than one while the secret is being replaced.
 * A signature more than five minutes off is invalid, so that a recorded webhook can't be replayed later.
 */
export function isSignedByStripe(header: string | null, body: string, secret: string, now: Date): boolean {
  const parts = (header ?? "").split(",").map((part) => part.trim().split("=", 2));
  const timestamp = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (!/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest();
  return parts
    .filter(([name]) => name === "v1")
    .map(([, value = ""]) => Buffer.from(value, "hex"))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
