import { randomUUID } from "node:crypto";
import { type RawAnswer, withKey } from "../api/http";
import { productURL } from "./owner";

/**
 * Pays with an API key, as a program would: what is unavailable is asked again, with the same idempotency key.
 *
 * @param payment.to by default, the demo shop
 */
export function payWithKey(
  apiKey: string,
  { to = "@demo", amount }: { to?: string; amount: string },
): Promise<RawAnswer> {
  const headers = { "idempotency-key": randomUUID() };
  return withKey(productURL, apiKey)("POST", "/v1/transfers", { to, amount }, headers);
}
