import type { Address, Hex } from "viem";
import { bigintToBytes, bytesToBigint, concat, fromHex, toHex } from "./crypto/bytes";
import { noteCommitment } from "./crypto/commitments";
import { InvalidReceipt } from "./crypto/errors";
import { lowerCase } from "./prepare/next-state";

/*
 * A receipt shows one amount to anyone who gets it: it opens the note of a transfer (docs/protocol.md section 7,
 * Receipts). Nothing in it is taken on trust: the note is recomputed from amount and salt, and the rest is in the
 * ledger's event.
 */

/** States that this transaction paid this amount from `payer` to `recipient`. Addresses in lower case. */
export interface Receipt {
  chainId: number;
  ledger: Address;
  txHash: Hex;
  payer: Address;
  recipient: Address;
  asset: Address;
  /** In units, at least 1. */
  amount: bigint;
  /** The note's salt. It reveals only this payment's amount. */
  salt: bigint;
}

/** A `Transferred` event with its position. */
export interface TransferredEvent {
  chainId: number;
  /** The contract that emitted it. */
  ledger: Address;
  transactionHash: Hex;
  args: { account: Address; to: Address; asset: Address; note: bigint };
}

const PREFIX = "hcr1_";
/**
 * Widths of the fields in order, in bytes: 156 in all. Its base64 has no spare bits, so a receipt has only one
 * encoding.
 */
const WIDTHS = [4, 20, 32, 20, 20, 20, 8, 32] as const;
const LENGTH = WIDTHS.reduce((sum, width) => sum + width, 0);
const TEXT = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{${(LENGTH * 4) / 3}}$`);

/**
 * Returns the note that a receipt opens.
 *
 * @throws InvalidReceipt if its amount or salt is out of range
 */
export function receiptNote({ amount, salt }: Pick<Receipt, "amount" | "salt">): bigint {
  try {
    return noteCommitment({ amount, salt });
  } catch {
    throw new InvalidReceipt();
  }
}

/**
 * Encodes a receipt as text: `hcr1_` and base64url (RFC 4648 section 5) of its fields in fixed widths.
 *
 * @throws InvalidReceipt if a field is out of range
 */
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

/**
 * Decodes the text of a receipt, or a link that ends in one.
 *
 * @throws InvalidReceipt for anything else
 */
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

/** Reports whether one of the events is exactly the payment on the receipt. All fields must match. */
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
