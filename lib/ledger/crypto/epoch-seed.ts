import { toHex } from "./bytes";
import type { Epoch } from "./epochs";
import { hkdf } from "./hkdf";
import type { Scope } from "./scope";

/**
 * Returns the seed of a batch's own part, its balance: HKDF(E, "payment", tags of all slots). Each of its payments has
 * that of its own request (`epochPaymentSeed`).
 */
export function epochBatchSeed({ seed }: Pick<Epoch, "seed">, scope: Scope, tags: readonly Uint8Array[]): Uint8Array {
  return hkdf(seed, "payment", scope, { extra: tags.map(toHex).join(",") });
}

/**
 * Returns the seed of a request's payment: HKDF(E, "payment", tag), the same alone and at any place of a batch.
 *
 * @param opened how many of the tag's notes someone else has opened, each of them final (`renewedSeed`)
 */
export function epochPaymentSeed({ seed }: Pick<Epoch, "seed">, scope: Scope, tag: Uint8Array, opened = 0): Uint8Array {
  if (!Number.isSafeInteger(opened) || opened < 0) throw new RangeError("a number of notes is a whole number");
  return hkdf(seed, "payment", scope, { extra: opened === 0 ? toHex(tag) : `${toHex(tag)}/${opened}` });
}
