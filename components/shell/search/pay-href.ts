import { doHref } from "@/components/money/do-link";

/**
 * Returns the address of the payment form, filled in with a recipient. The person types the amount and reviews the
 * payment before it leaves.
 *
 * @param base `/test` or `/live`
 * @param to a handle or an address
 * @param asset its symbol; the form's first one if left out
 */
export function payHref(base: string, to: string, asset?: string): string {
  return `${base}${doHref("send", { to, asset })}`;
}
