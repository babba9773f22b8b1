import { doHref } from "@/components/money/do-link";

/**
 * Returns the address of the payment form, filled in with a recipient. The person types the amount and reviews the
 * payment before it leaves.
 *
 * @param base `/test` or `/live`
 * @param to a handle or an address
 */
export function payHref(base: string, to: string): string {
  return `${base}${doHref("send", { to })}`;
}
