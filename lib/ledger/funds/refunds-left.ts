/** The sum of a payment's refunds, in units. */
interface RefundsLeft {
  refunded: bigint;
  /** What can still be refunded. Zero once everything, or more, was refunded. */
  left: bigint;
}

/**
 * Returns what is left of a received payment after its refunds.
 *
 * @param received above zero, in units
 * @param refunds amounts of refunds, including those under way but not failed ones
 */
export function refundsLeft(received: bigint, refunds: readonly bigint[]): RefundsLeft {
  if (received < 1n || refunds.some((amount) => amount < 1n)) throw new RangeError("payments are above zero");
  const refunded = refunds.reduce((sum, amount) => sum + amount, 0n);
  return { refunded, left: refunded < received ? received - refunded : 0n };
}
