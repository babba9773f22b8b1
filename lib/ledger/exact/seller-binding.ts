import type { Address } from "viem";
import { concat, fromHex, toHex } from "../crypto/bytes";

const PADDING = new Uint8Array(12);

/**
 * What the encrypted text of a held payment says of whom it is for, where its recipient is a one-time address: 12 zero
 * bytes and the seller's address. The only other binding of a public payment is
 * that of a refund, which is a hash.
 */
export function sellerBinding(seller: Address): Uint8Array {
  return concat(PADDING, fromHex(seller));
}

/** The seller that a held public payment is for, in lower case; null for one that goes to its recipient itself. */
export function sellerOf({ kind, binding }: { kind: string; binding?: Uint8Array | undefined }): Address | null {
  if (kind !== "release" || !binding) return null;
  const hasPadding = binding.length === 32 && binding.subarray(0, 12).every((byte) => byte === 0);
  return hasPadding ? toHex(binding.subarray(12)) : null;
}
