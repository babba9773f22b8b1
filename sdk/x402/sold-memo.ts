import type { Hex } from "viem";
import { utf8 } from "@/lib/ledger/crypto/bytes";
import type { Challenge } from "./challenge";

/** The largest memo, in bytes. */
const LONGEST = 512;
const MEMO = /^([A-Z]{1,16}) (\S+) 402:([0-9a-f]{64}):(\d{1,12})$/;

/** What a payment over HTTP 402 was for, according to its memo. */
export interface Sold {
  method: string;
  resource: string;
  nonce: Hex;
  /** Unix seconds. */
  expires: bigint;
}

/**
 * Returns the memo of a payment over HTTP 402, which only payer and payee can decrypt. It says what the payment was
 * for, with everything the payee needs to recompute the binding. Undefined for a URL that is too long for a memo.
 */
export function soldMemo({ method, resource, nonce, expires }: Challenge): string | undefined {
  const memo = `${method} ${resource} 402:${nonce.slice(2)}:${expires}`;
  return MEMO.test(memo) && utf8(memo).length <= LONGEST ? memo : undefined;
}

/**
 * Returns what a memo says was sold; null for any other memo. The payer wrote it, so compare its binding with the
 * payment's.
 */
export function readSoldMemo(memo: string | null | undefined): Sold | null {
  const [, method, resource, nonce, expires] = MEMO.exec(memo ?? "") ?? [];
  if (!method || !resource || !nonce || !expires) return null;
  return { method, resource, nonce: `0x${nonce}`, expires: BigInt(expires) };
}
