import { type Hex, hexToBytes, keccak256 } from "viem";

/**
 * Returns the positions of the three bits that a logs bloom has for an address or topic, counted from the lowest (Yellow
 * Paper, 4.3.1).
 */
export function bloomBits(value: Hex): number[] {
  const hash = hexToBytes(keccak256(value));
  return [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047);
}

/**
 * Reports whether a block's or receipt's logs bloom may contain an address or topic with these bits. False is certain;
 * true may be a coincidence.
 */
export function mayContain(bloom: Hex, bits: readonly number[]): boolean {
  // Four bits a digit, the lowest last.
  return bits.every((bit) => ((Number.parseInt(bloom.at(-1 - (bit >> 2)) ?? "0", 16) >> (bit & 3)) & 1) === 1);
}

/** Returns the union of several blooms. */
export function joinBlooms(blooms: readonly Hex[]): bigint {
  return blooms.reduce((all, bloom) => all | BigInt(bloom), 0n);
}
