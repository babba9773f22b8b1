/*
 * The payout that was approved on this page and that its own page pays. Only in memory, and only once: no address, and
 * no page that is loaded again, starts a payment.
 */
let approved: string | undefined;

/** Remembers that the person has just approved a payout. */
export function rememberApproved(payoutId: string): void {
  approved = payoutId;
}

/** Returns whether the person has just approved this payout, and forgets it. */
export function takeApproved(payoutId: string): boolean {
  const isApproved = approved === payoutId;
  approved = undefined;
  return isApproved;
}
