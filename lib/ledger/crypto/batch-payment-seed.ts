import { hkdf } from "./hkdf";
import type { Scope } from "./scope";

/**
 * The seed of the payment at `index` of a batch, from which its note's salt follows as that of any other payment
 * (`noteSaltOf`). One seed for all would give two equal payments to one recipient the same note, which the ledger
 * takes once.
 */
export function batchPaymentSeed(seed: Uint8Array, scope: Scope, index: number): Uint8Array {
  if (!Number.isSafeInteger(index) || index < 0) throw new RangeError("payments of a batch count from 0");
  return hkdf(seed, "batch payment", scope, { extra: String(index) });
}
