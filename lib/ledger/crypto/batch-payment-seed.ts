import { hkdf } from "./hkdf";
import type { Scope } from "./scope";

/**
 * Returns the seed of the payment at `index` of a batch. Its note's salt is derived from it like that of any other
 * payment (`noteSaltOf`). With the same seed for all, two equal payments to one recipient would have the same note,
 * which the ledger accepts only once.
 */
export function batchPaymentSeed(seed: Uint8Array, scope: Scope, index: number): Uint8Array {
  if (!Number.isSafeInteger(index) || index < 0) throw new RangeError("payments of a batch count from 0");
  return hkdf(seed, "batch payment", scope, { extra: String(index) });
}
