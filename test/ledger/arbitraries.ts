import fc from "fast-check";
import type { Address, Hex } from "viem";
import { bytesToBigint, toHex } from "@/lib/ledger/crypto/bytes";
import { FIELD_ORDER, UNITS_BOUND } from "@/lib/ledger/crypto/field";
import type { CommitmentRef, Scope } from "@/lib/ledger/crypto/scope";
import { DAY_BOUND } from "@/lib/ledger/crypto/window";

/** Inputs for property tests of the ledger library. */
export const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
export const address = bytes(20).map((value) => toHex(value) as Address);
export const commitment = bytes(32).map((value) => bytesToBigint(value) % FIELD_ORDER);
export const salt = commitment.map((value) => value || 1n);
export const units = fc.bigInt(0n, UNITS_BOUND - 1n);
export const positiveUnits = fc.bigInt(1n, UNITS_BOUND - 1n);
export const day = fc.bigInt(0n, DAY_BOUND - 1n);
export const window = fc.record({ spent: units, day });
/** A window that a payer's copy holds: its day has three bytes there. */
export const copiedWindow = fc.record({ spent: units, day: fc.bigInt(0n, (1n << 24n) - 1n) });
export const limits = fc.record({ perPayment: units, daily: units, threshold: units });
export const scope: fc.Arbitrary<Scope> = fc.record({
  chainId: fc.constantFrom(46630, 4663),
  ledger: address,
  domainSalt: bytes(32).map((value) => toHex(value) as Hex),
});
export const ref: fc.Arbitrary<CommitmentRef> = fc.record({
  scope,
  account: address,
  asset: address,
  commitment: commitment,
});

/**
 * Returns copies of a ref with one of its five components changed. What is encrypted for one must not decrypt with
 * another.
 */
export function otherPlaces(original: CommitmentRef): CommitmentRef[] {
  const flip = (value: Address) => `${value.slice(0, -1)}${value.endsWith("0") ? "1" : "0"}` as Address;
  return [
    { ...original, scope: { ...original.scope, chainId: original.scope.chainId === 4663 ? 46630 : 4663 } },
    { ...original, scope: { ...original.scope, ledger: flip(original.scope.ledger) } },
    { ...original, account: flip(original.account) },
    { ...original, asset: flip(original.asset) },
    { ...original, commitment: (original.commitment + 1n) % FIELD_ORDER },
  ];
}

/** Returns a copy with one bit flipped. */
export function withBitFlipped(encrypted: Uint8Array, position: number): Uint8Array {
  const copy = encrypted.slice();
  const at = position % copy.length;
  copy[at] = (copy[at] ?? 0) ^ (1 << (position % 8));
  return copy;
}
