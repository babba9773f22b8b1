import { sha256 } from "@noble/hashes/sha2.js";
import type { Address } from "viem";
import { bigintToBytes, concat, fromHex, utf8 } from "./bytes";
import type { Scope } from "./scope";

/** The note of a received payment: whose it is, of which asset, and its word. */
interface RefundedNote {
  account: Address;
  asset: Address;
  note: bigint;
}

/**
 * What the recipient's copy of a refund is bound to: the note that it gives back. The ledger creates each note once, so
 * a refund belongs to one payment, and the payer's client recomputes this from what it sent. All of it is public: it is
 * believed because who refunds has signed for the copy that contains it.
 */
export function refundBinding({ chainId, ledger }: Scope, { account, asset, note }: RefundedNote): Uint8Array {
  const place = concat(bigintToBytes(BigInt(chainId), 32), fromHex(ledger), fromHex(account), fromHex(asset));
  return sha256(concat(utf8("halcyon/2/refund"), place, bigintToBytes(note, 32)));
}
