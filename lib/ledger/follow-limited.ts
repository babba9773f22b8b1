import { type AvailableOpening, availableCommitment } from "./crypto/commitments";
import { decryptAmount, noteRatchet, publicRatchet } from "./crypto/ratchet";
import { unpackTerms } from "./crypto/terms";
import { windowAfter } from "./crypto/window-after";

/**
 * A payment under a policy as the chain shows it: the `Limited` event, with the note of the `Transferred` event or the
 * amount of the `Released` event before it. All commitments and units are integers.
 */
export type LimitedPayment = { newAvailable: bigint; terms: bigint } & (
  | { note: bigint; encryptedAmount: bigint }
  | { amount: bigint }
);

/** The amount of a payment under a policy, and the available balance after it. */
export interface FollowedPayment {
  amount: bigint;
  available: AvailableOpening;
}

/**
 * Derives the opening of the available balance after a payment under a policy from the opening before it, without any
 * encrypted copy. Returns null if `old` is not the opening of the commitment that the payment replaced. The service's
 * counters are not on chain, so the result has none.
 */
export function followLimited(old: AvailableOpening, payment: LimitedPayment): FollowedPayment | null {
  try {
    const { salt, amount } = stepOf(old.salt, payment);
    if (amount === null) return null;
    const window = windowAfter(old.window, unpackTerms(payment.terms), amount);
    const available = { limit: old.limit - amount, salt, window };
    return availableCommitment(available) === payment.newAvailable ? { amount, available } : null;
  } catch {
    return null;
  }
}

function stepOf(oldSalt: bigint, payment: LimitedPayment): { salt: bigint; amount: bigint | null } {
  if ("amount" in payment) return { salt: publicRatchet(oldSalt), amount: payment.amount };
  const { salt, pad } = noteRatchet(oldSalt, payment.note);
  return { salt, amount: decryptAmount(payment.encryptedAmount, pad) };
}
