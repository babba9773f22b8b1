import type { FindPaymentsOutput } from "@/components/vault/methods/find-payments";

/**
 * Returns what to say if no payment was found and older ones were not searched, because "no results" would be about all
 * of them.
 */
export function noPaymentFound(found: FindPaymentsOutput | undefined): string | undefined {
  if (!found?.more || found.payments.length > 0) return undefined;
  return `No payment found among your newest ${found.searched}. Older ones are in Transfers.`;
}
