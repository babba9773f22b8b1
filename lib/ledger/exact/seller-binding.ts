import type { Address } from "viem";
import { concat, fromHex, toHex } from "../crypto/bytes";

const PADDING = new Uint8Array(12);

/**
 * Returns the binding that names the seller in the ciphertext of a payment awaiting approval whose recipient is a
 * one-time address: 12 zero bytes and the seller's address. The only other binding of a public payment is a refund's,
 * which is a hash.
 */
export function sellerBinding(seller: Address): Uint8Array {
  return concat(PADDING, fromHex(seller));
}

/**
 * Returns the seller of a public payment awaiting approval, in lower case; null if it goes directly to its recipient.
 */
export function sellerOf({ kind, binding }: { kind: string; binding?: Uint8Array | undefined }): Address | null {
  if (kind !== "release" || !binding) return null;
  const hasPadding = binding.length === 32 && binding.subarray(0, 12).every((byte) => byte === 0);
  return hasPadding ? toHex(binding.subarray(12)) : null;
}
