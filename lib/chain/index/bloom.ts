import { type Hex, hexToBytes, keccak256 } from "viem";

/**
 * Reports whether a block's or receipt's logs bloom may contain an address or topic (Yellow Paper, 4.3.1). False is
 * certain; true may be a coincidence.
 */
export function mayContain(bloom: Hex, value: Hex): boolean {
  const bits = hexToBytes(bloom);
  const hash = hexToBytes(keccak256(value));
  return [0, 2, 4].every((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
    return (((bits[bits.length - 1 - (bit >> 3)] ?? 0) >> (bit & 7)) & 1) === 1;
  });
}

/** Returns the union of several blooms. */
export function joinBlooms(blooms: readonly Hex[]): bigint {
  return blooms.reduce((all, bloom) => all | BigInt(bloom), 0n);
}
