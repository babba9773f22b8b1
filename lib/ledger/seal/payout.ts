import type { Address } from "viem";
import { AEAD_OVERHEAD, seal, unseal } from "../crypto/aead";
import { batchPaymentSeed } from "../crypto/batch-payment-seed";
import { bigintToBytes, concat, fromHex, toHex, utf8 } from "../crypto/bytes";
import { UnsealFailed } from "../crypto/errors";
import { assertUnits } from "../crypto/field";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";
import { FixedFields } from "./fixed-fields";
import { PADDED_MEMO_LENGTH, padMemo, unpadMemo } from "./memo";

/*
 * A payout has a key of its own, which seals its rows and from which each row's seed follows. Only that key is sealed
 * under the account secret, so a new secret costs one small text however many rows there are.
 */

const VERSION = 1;
const KEY_LENGTH = 32;
const TO_BYTES = 128;
const REFERENCE_BYTES = 256;
const TEXT_LENGTH = 3 + 20 + 20 + 8 + (2 + TO_BYTES) + (2 + REFERENCE_BYTES) + PADDED_MEMO_LENGTH;

/** Bytes of the sealed key of every payout. */
export const SEALED_PAYOUT_KEY_LENGTH = KEY_LENGTH + AEAD_OVERHEAD;
/** Bytes of every sealed row, whatever it says. */
export const SEALED_PAYOUT_ROW_LENGTH = TEXT_LENGTH + AEAD_OVERHEAD;

/** One row as it was accepted. Addresses in lower case, the amount in units. */
export interface PayoutRow {
  /** As its author wrote it. */
  to: string;
  /** The address `to` stood for when the payout was accepted. */
  address: Address;
  asset: Address;
  amount: bigint;
  memo?: string;
  reference?: string;
}

/** Which row of which payout: where its text is bound to. */
export interface PayoutRowRef {
  payoutId: string;
  /** From 1. */
  row: number;
  batch: number;
  place: number;
}

/**
 * The key of a payout: the same for the same request, so a request that is repeated after the service lost its rows
 * makes the same notes, which the ledger takes once.
 *
 * @param secret s of the account
 * @param request what names it: who asks, and under which idempotency key
 */
export function derivePayoutKey(secret: Uint8Array, scope: Scope, account: Address, request: string): Uint8Array {
  return hkdf(secret, "payout key", scope, { extra: `${account.toLowerCase()}/${request}` });
}

const sealingKey = (secret: Uint8Array, scope: Scope) => hkdf(secret, "payout key seal", scope);

const keyAad = (account: Address, payoutId: string) => utf8(`${account.toLowerCase()}/${payoutId}`);

/** Seals a payout's key under the account secret. */
export function sealPayoutKey(secret: Uint8Array, scope: Scope, account: Address, payoutId: string, key: Uint8Array) {
  return seal(sealingKey(secret, scope), keyAad(account, payoutId), key);
}

/** Opens a payout's key. @throws UnsealFailed when secret, account or payout differ */
export function openPayoutKey(
  secret: Uint8Array,
  scope: Scope,
  account: Address,
  payoutId: string,
  sealed: Uint8Array,
): Uint8Array {
  const key = unseal(sealingKey(secret, scope), keyAad(account, payoutId), sealed, "payout");
  if (key.length !== KEY_LENGTH) throw new UnsealFailed("payout");
  return key;
}

/** The seed of the proof that pays a batch of rows. */
export function payoutBatchSeed(key: Uint8Array, scope: Scope, batch: number): Uint8Array {
  return hkdf(key, "payout batch", scope, { extra: String(batch) });
}

/** The seed of one row, the same in its batch and alone: so is its note. */
export function payoutRowSeed(key: Uint8Array, scope: Scope, { batch, place }: { batch: number; place: number }) {
  return batchPaymentSeed(payoutBatchSeed(key, scope, batch), scope, place);
}

const rowsKey = (key: Uint8Array, scope: Scope) => hkdf(key, "payout rows", scope);

const rowAad = ({ payoutId, row, batch, place }: PayoutRowRef) => utf8(`${payoutId}/${row}/${batch}/${place}`);

/** Seals a row under its payout's key. @throws InvalidUnits, InvalidMemo; RangeError for texts that are too long */
export function sealPayoutRow(key: Uint8Array, scope: Scope, ref: PayoutRowRef, row: PayoutRow): Uint8Array {
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
  return seal(rowsKey(key, scope), rowAad(ref), text);
}

/** Opens a row. @throws UnsealFailed when key, place or text differ */
export function openPayoutRow(key: Uint8Array, scope: Scope, ref: PayoutRowRef, sealed: Uint8Array): PayoutRow {
  const text = unseal(rowsKey(key, scope), rowAad(ref), sealed, "payout row");
  if (text.length !== TEXT_LENGTH) throw new UnsealFailed("payout row");
  const fields = new FixedFields(text);
  const [version, hasMemo, hasReference] = fields.bytes(3);
  if (version !== VERSION) throw new UnsealFailed("payout row");
  const [address, asset] = [toHex(fields.bytes(20)), toHex(fields.bytes(20))];
  const amount = fields.integer(8);
  const to = unpadText(fields.bytes(2 + TO_BYTES));
  const reference = unpadText(fields.bytes(2 + REFERENCE_BYTES));
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

function padText(text: string, most: number): Uint8Array {
  const bytes = utf8(text);
  if (bytes.length > most) throw new RangeError(`a text of a row has at most ${most} bytes`);
  return concat(Uint8Array.of(bytes.length >> 8, bytes.length & 0xff), bytes, new Uint8Array(most - bytes.length));
}

function unpadText(padded: Uint8Array): string {
  const length = ((padded[0] ?? 0) << 8) | (padded[1] ?? 0);
  return new TextDecoder().decode(padded.subarray(2, 2 + length));
}
