import type { Address, Hex } from "viem";
import { bigintToBytes, bytesToBigint, concat, fromHex, toHex } from "./crypto/bytes";
import { noteCommitment } from "./crypto/commitments";
import { InvalidReceipt } from "./crypto/errors";
import { lowerCase } from "./prepare/next-state";

/*
 * A receipt shows one amount to anyone who gets it: it opens the note that a transfer made (docs/protocol.md section 7,
 * Receipts). Nothing in it is taken on trust: the amount and salt recompute the note, the rest is in the ledger's
 * event.
 */

/** What a receipt says: this transaction paid this amount from `payer` to `recipient`. Addresses in lower case. */
export interface Receipt {
  chainId: number;
  ledger: Address;
  txHash: Hex;
  payer: Address;
  recipient: Address;
  asset: Address;
  /** Units, at least 1. */
  amount: bigint;
  /** Of the note: it opens this payment's amount and no other. */
  salt: bigint;
}

/** A `Transferred` event and where it stands. */
export interface TransferredEvent {
  chainId: number;
  /** The contract that emitted it. */
  ledger: Address;
  transactionHash: Hex;
  args: { account: Address; to: Address; asset: Address; note: bigint };
}

const PREFIX = "hcr1_";
/** Fields in order, in bytes. 156 in all: base64 of it has no spare bits, so that a receipt is written in one way. */
const WIDTHS = [4, 20, 32, 20, 20, 20, 8, 32] as const;
const LENGTH = WIDTHS.reduce((sum, width) => sum + width, 0);
const TEXT = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{${(LENGTH * 4) / 3}}$`);

/** The note a receipt opens; throws `InvalidReceipt` when its amount or salt is out of range. */
export function receiptNote({ amount, salt }: Pick<Receipt, "amount" | "salt">): bigint {
  try {
    return noteCommitment({ amount, salt });
  } catch {
    throw new InvalidReceipt();
  }
}

/** The text of a receipt: `hcr1_` and base64url (RFC 4648 section 5) of its fields in fixed widths. */
export function encodeReceipt(receipt: Receipt): string {
  receiptNote(receipt);
  const { chainId, ledger, txHash, payer, recipient, asset, amount, salt } = receipt;
  const bytes = concat(
    bigintToBytes(BigInt(chainId), 4),
    ...[ledger, txHash, payer, recipient, asset].map(fromHex),
    bigintToBytes(amount, 8),
    bigintToBytes(salt, 32),
  );
  if (bytes.length !== LENGTH) throw new InvalidReceipt();
  const base64 = btoa(String.fromCharCode(...bytes));
  return PREFIX + base64.replaceAll("+", "-").replaceAll("/", "_");
}

/** Reads the text of a receipt, or a link that ends in one. Throws `InvalidReceipt` on anything else. */
export function decodeReceipt(text: string): Receipt {
  const own = text.trim().split("#").at(-1) ?? "";
  if (!TEXT.test(own)) throw new InvalidReceipt();
  const base64 = own.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  let offset = 0;
  const [chainId, ledger, txHash, payer, recipient, asset, amount, salt] = WIDTHS.map((width) => {
    offset += width;
    return bytes.subarray(offset - width, offset);
  }) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const receipt: Receipt = {
    chainId: Number(bytesToBigint(chainId)),
    ledger: toHex(ledger),
    txHash: toHex(txHash),
    payer: toHex(payer),
    recipient: toHex(recipient),
    asset: toHex(asset),
    amount: bytesToBigint(amount),
    salt: bytesToBigint(salt),
  };
  receiptNote(receipt);
  return receipt;
}

/** Whether one of the events is exactly the payment the receipt shows: every field counts. */
export function provesReceipt(receipt: Receipt, events: readonly TransferredEvent[]): boolean {
  const note = receiptNote(receipt);
  return events.some(
    ({ chainId, ledger, transactionHash, args }) =>
      chainId === receipt.chainId &&
      lowerCase(ledger) === receipt.ledger &&
      transactionHash.toLowerCase() === receipt.txHash &&
      lowerCase(args.account) === receipt.payer &&
      lowerCase(args.to) === receipt.recipient &&
      lowerCase(args.asset) === receipt.asset &&
      args.note === note,
  );
}
