import { sha256 } from "@noble/hashes/sha2.js";
import type { Address } from "viem";
import { bigintToBytes, concat, fromHex, utf8 } from "./bytes";
import type { Scope } from "./scope";

/** The note of a received payment: its account, asset and commitment. */
interface RefundedNote {
  account: Address;
  asset: Address;
  note: bigint;
}

/**
 * Returns the binding that ties a refund to the note that it gives back. The recipient's copy of the refund contains
 * it. The ledger creates each note once, so a refund belongs to one payment, and the original payer's client can
 * recompute the binding from what it sent. All inputs are public; what makes the binding trustworthy is the refunder's
 * signature over the copy.
 */
export function refundBinding({ chainId, ledger }: Scope, { account, asset, note }: RefundedNote): Uint8Array {
  const place = concat(bigintToBytes(BigInt(chainId), 32), fromHex(ledger), fromHex(account), fromHex(asset));
  return sha256(concat(utf8("halcyon/2/refund"), place, bigintToBytes(note, 32)));
}
