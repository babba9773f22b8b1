import { doHref } from "@/components/money/do-link";

/**
 * The form of a payment to a person, filled in with whom it pays: what it pays is typed, and reviewed before it leaves.
 *
 * @param base `/test` or `/live`
 * @param to a handle or an address
 */
export function payHref(base: string, to: string): string {
  return `${base}${doHref("send", { to })}`;
}
