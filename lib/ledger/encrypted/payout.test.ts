import { expect, test } from "vitest";
import { decrypt, encrypt } from "../crypto/aead";
import { batchPaymentSeed } from "../crypto/batch-payment-seed";
import { randomBytes, utf8 } from "../crypto/bytes";
import { DecryptionFailed } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";
import { noteOf } from "../prepare/note-parts";
import {
  decryptPayoutKey,
  decryptPayoutRow,
  derivePayoutKey,
  ENCRYPTED_PAYOUT_KEY_LENGTH,
  ENCRYPTED_PAYOUT_ROW_LENGTH,
  encryptPayoutKey,
  encryptPayoutRow,
  type PayoutRow,
  payoutBatchSeed,
  payoutRowSeed,
} from "./payout";

const scope: Scope = { chainId: 46630, ledger: `0x${"1".repeat(40)}`, domainSalt: `0x${"0".repeat(64)}` };
const [account, other] = [`0x${"a".repeat(40)}`, `0x${"b".repeat(40)}`] as const;
const [address, asset] = [`0x${"2".repeat(40)}`, `0x${"3".repeat(40)}`] as const;
const payoutId = "po_01KADJ2C9B3T6Y0V8ZQ4N5M7WX";
const ref = { payoutId, row: 18, batch: 1, place: 1 };
const row: PayoutRow = { to: "@ada", address, asset, amount: 12_500_000n, memo: "wages", reference: "2026-11/ä" };
const secret = randomBytes(32);
const key = derivePayoutKey(secret, scope, account, "key_1/order-1");

test("a row opens to what it said, and every encrypted row has one length", () => {
  const bare: PayoutRow = { to: "@ada", address, asset, amount: 1n };
  for (const one of [row, bare]) {
    const encrypted = encryptPayoutRow(key, scope, ref, one);
    expect(encrypted).toHaveLength(ENCRYPTED_PAYOUT_ROW_LENGTH);
    expect(decryptPayoutRow(key, scope, ref, encrypted)).toEqual(one);
  }
});

test("a row opens in no other place, of no other payout, and not once it was changed", () => {
  const encrypted = encryptPayoutRow(key, scope, ref, row);
  const elsewhere = [{ row: 17 }, { batch: 0 }, { place: 2 }, { payoutId: `${payoutId.slice(0, -1)}0` }];
  for (const change of elsewhere)
    expect(() => decryptPayoutRow(key, scope, { ...ref, ...change }, encrypted)).toThrow();
  const changed = encrypted.with(60, (encrypted[60] ?? 0) ^ 1);
  expect(() => decryptPayoutRow(key, scope, ref, changed)).toThrow();
  expect(() => decryptPayoutRow(randomBytes(32), scope, ref, encrypted)).toThrow();
});

test("a row says with 0 or 1 whether it has a memo and a reference, and with nothing else", () => {
  const encrypting = hkdf(key, "payout rows", scope);
  const aad = utf8(`${payoutId}/${ref.row}/${ref.batch}/${ref.place}`);
  const text = decrypt(encrypting, aad, encryptPayoutRow(key, scope, ref, row), "payout row");
  expect(decryptPayoutRow(key, scope, ref, encrypt(encrypting, aad, text))).toEqual(row);
  for (const flag of [1, 2]) {
    expect(() => decryptPayoutRow(key, scope, ref, encrypt(encrypting, aad, text.with(flag, 2)))).toThrow(
      DecryptionFailed,
    );
  }
});

test("the key opens with the account secret alone, for its account, payout and number of rows", () => {
  const ref = { payoutId, rows: 3 };
  const encrypted = encryptPayoutKey(secret, scope, account, ref, key);
  expect(encrypted).toHaveLength(ENCRYPTED_PAYOUT_KEY_LENGTH);
  expect(decryptPayoutKey(secret, scope, account, ref, encrypted)).toEqual(key);
  expect(() => decryptPayoutKey(randomBytes(32), scope, account, ref, encrypted)).toThrow();
  expect(() => decryptPayoutKey(secret, scope, other, ref, encrypted)).toThrow();
  for (const lie of [{ payoutId: `${payoutId.slice(0, -1)}0` }, { rows: 2 }, { rows: 4 }]) {
    expect(() => decryptPayoutKey(secret, scope, account, { ...ref, ...lie }, encrypted)).toThrow();
  }
});

test("a row has one note, in its batch and alone, and no two rows that are alike share it", () => {
  const inBatch = batchPaymentSeed(payoutBatchSeed(key, scope, 1), scope, 1);
  const commitmentOf = (seed: Uint8Array) => noteOf(seed, scope, address, asset, 1n).commitment;
  expect(commitmentOf(payoutRowSeed(key, scope, ref))).toBe(commitmentOf(inBatch));
  const places = [0, 1, 2].flatMap((batch) => [0, 1, 15].map((place) => ({ batch, place })));
  expect(new Set(places.map((place) => commitmentOf(payoutRowSeed(key, scope, place)))).size).toBe(places.length);
});

test("the same request makes the same key, another request or account another one", () => {
  expect(derivePayoutKey(secret, scope, account, "key_1/order-1")).toEqual(key);
  const others = [
    derivePayoutKey(secret, scope, account, "key_1/order-2"),
    derivePayoutKey(secret, scope, other, "key_1/order-1"),
    derivePayoutKey(randomBytes(32), scope, account, "key_1/order-1"),
  ];
  for (const one of others) expect(one).not.toEqual(key);
});
