import type { Address } from "viem";
import { AEAD_OVERHEAD, decrypt, encrypt } from "../crypto/aead";
import { batchPaymentSeed } from "../crypto/batch-payment-seed";
import { bigintToBytes, concat, fromHex, toHex, utf8 } from "../crypto/bytes";
import { DecryptionFailed } from "../crypto/errors";
import { assertUnits } from "../crypto/field";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";
import { FixedFields } from "./fixed-fields";
import { PADDED_MEMO_LENGTH, padMemo, unpadMemo } from "./memo";
import { paddedLength, padText, unpadText } from "./padded-text";

/*
 * A payout has its own key, which encrypts its rows and from which the rows' seeds are derived. Only that key is
 * encrypted under the account secret, so rotating the secret takes one small encryption, however many rows there are.
 */

const VERSION = 1;
const KEY_LENGTH = 32;
const TO_BYTES = 128;
const REFERENCE_BYTES = 256;
const TEXT_LENGTH = 3 + 20 + 20 + 8 + paddedLength(TO_BYTES) + paddedLength(REFERENCE_BYTES) + PADDED_MEMO_LENGTH;

/** Length of a payout's encrypted key in bytes. */
export const ENCRYPTED_PAYOUT_KEY_LENGTH = KEY_LENGTH + AEAD_OVERHEAD;
/** Length of every encrypted row in bytes, regardless of its content. */
export const ENCRYPTED_PAYOUT_ROW_LENGTH = TEXT_LENGTH + AEAD_OVERHEAD;

/** One accepted row. Addresses in lower case, the amount in units. */
export interface PayoutRow {
  /** As its author wrote it. */
  to: string;
  /** The address that `to` resolved to when the payout was accepted. */
  address: Address;
  asset: Address;
  amount: bigint;
  memo?: string;
  reference?: string;
}

/** Identifies a row of a payout. The row's ciphertext is bound to it. */
interface PayoutRowRef {
  payoutId: string;
  /** Counts from 1. */
  row: number;
  batch: number;
  place: number;
}

/**
 * Derives the key of a payout. It is the same for the same request. So if a request is repeated after the service lost
 * its rows, it creates the same notes, which the ledger accepts only once. It is not a function of the account secret:
 * who learns that later opens no finished payout.
 *
 * @param secret what only the author of the payout has: derived from the API key and the idempotency key, or the
 *   client's seed key
 * @param request identifies the request
 */
export function derivePayoutKey(secret: Uint8Array, scope: Scope, account: Address, request: string): Uint8Array {
  return hkdf(secret, "payout key", scope, { extra: `${account.toLowerCase()}/${request}` });
}

const encryptingKey = (secret: Uint8Array, scope: Scope) => hkdf(secret, "payout key seal", scope);

/** A payout, and how many rows it was accepted with. Its encrypted key is bound to both: no row can be left out. */
interface PayoutRef {
  payoutId: string;
  rows: number;
}

const keyAad = (account: Address, { payoutId, rows }: PayoutRef) =>
  utf8(`${account.toLowerCase()}/${payoutId}/${rows}`);

/** Encrypts a payout's key under the account secret. */
export function encryptPayoutKey(secret: Uint8Array, scope: Scope, account: Address, ref: PayoutRef, key: Uint8Array) {
  return encrypt(encryptingKey(secret, scope), keyAad(account, ref), key);
}

/**
 * Decrypts a payout's key.
 *
 * @throws DecryptionFailed if secret, account, payout or the number of its rows differ
 */
export function decryptPayoutKey(
  secret: Uint8Array,
  scope: Scope,
  account: Address,
  ref: PayoutRef,
  encrypted: Uint8Array,
): Uint8Array {
  const key = decrypt(encryptingKey(secret, scope), keyAad(account, ref), encrypted, "payout");
  if (key.length !== KEY_LENGTH) throw new DecryptionFailed("payout");
  return key;
}

/** Returns the seed of the proof that pays a batch of rows. */
export function payoutBatchSeed(key: Uint8Array, scope: Scope, batch: number): Uint8Array {
  return hkdf(key, "payout batch", scope, { extra: String(batch) });
}

/** Returns the seed of one row. It is the same in a batch and alone, and so is its note. */
export function payoutRowSeed(key: Uint8Array, scope: Scope, { batch, place }: { batch: number; place: number }) {
  return batchPaymentSeed(payoutBatchSeed(key, scope, batch), scope, place);
}

const rowsKey = (key: Uint8Array, scope: Scope) => hkdf(key, "payout rows", scope);

const rowAad = ({ payoutId, row, batch, place }: PayoutRowRef) => utf8(`${payoutId}/${row}/${batch}/${place}`);

/**
 * Encrypts a row under its payout's key.
 *
 * @throws InvalidUnits, InvalidMemo; RangeError for texts that are too long
 */
export function encryptPayoutRow(key: Uint8Array, scope: Scope, ref: PayoutRowRef, row: PayoutRow): Uint8Array {
  const { to, address, asset, amount, memo, reference } = row;
  assertUnits(amount, 1n);
  const text = concat(
    Uint8Array.of(VERSION, memo === undefined ? 0 : 1, reference === undefined ? 0 : 1),
    fromHex(address),
    fromHex(asset),
    bigintToBytes(amount, 8),
    padText(to, TO_BYTES),
    padText(reference ?? "", REFERENCE_BYTES),
    padMemo(memo ?? ""),
  );
  if (text.length !== TEXT_LENGTH) throw new RangeError("an address has 20 bytes");
  return encrypt(rowsKey(key, scope), rowAad(ref), text);
}

/**
 * Decrypts a row.
 *
 * @throws DecryptionFailed if key, reference or content differ
 */
export function decryptPayoutRow(key: Uint8Array, scope: Scope, ref: PayoutRowRef, encrypted: Uint8Array): PayoutRow {
  const text = decrypt(rowsKey(key, scope), rowAad(ref), encrypted, "payout row");
  if (text.length !== TEXT_LENGTH) throw new DecryptionFailed("payout row");
  const fields = new FixedFields(text);
  const [version, ...flags] = fields.bytes(3);
  const [hasMemo, hasReference] = flags;
  if (version !== VERSION || flags.some((flag) => flag > 1)) throw new DecryptionFailed("payout row");
  const [address, asset] = [toHex(fields.bytes(20)), toHex(fields.bytes(20))];
  const amount = fields.integer(8);
  const to = unpadText(fields.bytes(paddedLength(TO_BYTES)), "payout row");
  const reference = unpadText(fields.bytes(paddedLength(REFERENCE_BYTES)), "payout row");
  const memo = unpadMemo(fields.bytes(PADDED_MEMO_LENGTH));
  return {
    to,
    address,
    asset,
    amount,
    ...(hasMemo === 1 ? { memo } : {}),
    ...(hasReference === 1 ? { reference } : {}),
  };
}
