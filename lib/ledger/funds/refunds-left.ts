/** What the refunds of a payment come to. In units. */
interface RefundsLeft {
  refunded: bigint;
  /** Zero once everything was given back, and more than everything too. */
  left: bigint;
}

/**
 * What is left of a received payment after its refunds, those under way included and failed ones not.
 *
 * @param received above zero
 */
export function refundsLeft(received: bigint, refunds: readonly bigint[]): RefundsLeft {
  if (received < 1n || refunds.some((amount) => amount < 1n)) throw new RangeError("payments are above zero");
  const refunded = refunds.reduce((sum, amount) => sum + amount, 0n);
  return { refunded, left: refunded < received ? received - refunded : 0n };
}
