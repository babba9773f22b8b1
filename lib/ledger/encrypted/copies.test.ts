import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes, otherPlaces, positiveUnits, ref, salt, units, window, withBitFlipped } from "@/test/ledger/arbitraries";
import { batchPaymentSeed } from "../crypto/batch-payment-seed";
import { bigintToBytes, concat } from "../crypto/bytes";
import { availableCommitment, noteCommitment } from "../crypto/commitments";
import { epochBatchSeed, epochPaymentSeed } from "../crypto/epoch-seed";
import { encryptTo } from "../crypto/hpke";
import { deriveViewingKey } from "../crypto/keys";
import { availableSaltOf, MOST_SEEDS, noteSaltOf } from "../crypto/payment-seed";
import {
  BATCH_COPY_LENGTH,
  BATCH_PAYMENTS,
  copyTags,
  decryptBatchCopy,
  encryptBatchCopy,
  isBatchCopy,
  noteOfBatch,
} from "./batch-copy";
import { copyInfo } from "./copy-info";
import { availableOfCopy, decryptPayerCopy, encryptPayerCopy, noteOfCopy, PAYER_COPY_LENGTH } from "./payer-copy";
import {
  decryptRecipientCopy,
  encryptRecipientCopy,
  isBoundTo,
  NO_BINDING,
  RECIPIENT_COPY_LENGTH,
} from "./recipient-copy";

const runs = { numRuns: 4 };
const tags = fc.array(bytes(16), { minLength: BATCH_PAYMENTS, maxLength: BATCH_PAYMENTS });
/** As copies have it: a day in three bytes. */
const copied = window.map(({ spent, day }) => ({ spent, day: day % 2n ** 24n }));
const amounts = fc
  .array(positiveUnits, { minLength: 2, maxLength: BATCH_PAYMENTS })
  .map((given) => [...given, ...Array.from({ length: BATCH_PAYMENTS - given.length }, () => 0n)]);

describe("recipient copies", () => {
  it("open to note and binding with the right key in the right place, and nowhere else; their payer sees the binding", async () => {
    const seed = bytes(32);
    await fc.assert(
      fc.asyncProperty(
        ref,
        seed,
        positiveUnits,
        salt,
        seed,
        fc.nat(),
        seed,
        async (p, accountKey, amount, s, b, bit, by) => {
          const note = { amount, salt: s };
          const there = { ...p, commitment: noteCommitment(note) };
          const key = deriveViewingKey(accountKey, p.scope);
          const encrypted = await encryptRecipientCopy(key.publicKey, there, { ...note, binding: b }, by);
          expect(encrypted).toHaveLength(RECIPIENT_COPY_LENGTH);
          expect(await decryptRecipientCopy(key.secret, there, encrypted)).toEqual({ ...note, binding: b });
          for (const elsewhere of otherPlaces(there)) {
            expect(await decryptRecipientCopy(key.secret, elsewhere, encrypted)).toBeNull();
          }
          expect(await decryptRecipientCopy(key.secret, there, withBitFlipped(encrypted, bit))).toBeNull();
          const unbound = await encryptRecipientCopy(key.publicKey, there, note, by);
          expect(unbound).toHaveLength(RECIPIENT_COPY_LENGTH);
          expect((await decryptRecipientCopy(key.secret, there, unbound))?.binding).toEqual(NO_BINDING);
          const isFor = (binding: Uint8Array, seed: Uint8Array = by) => {
            return isBoundTo(key.publicKey, there, { ...note, binding }, seed, encrypted);
          };
          const flipped = [isFor(withBitFlipped(b, bit)), isFor(b, withBitFlipped(by, bit))];
          expect(await Promise.all([isFor(b), ...flipped])).toEqual([true, false, false]);
        },
      ),
      runs,
    );
  });

  it("of another length, without money, or that contradict the note are not believed", async () => {
    await fc.assert(
      fc.asyncProperty(ref, bytes(32), positiveUnits, salt, async (p, accountKey, amount, s) => {
        const key = deriveViewingKey(accountKey, p.scope);
        const there = { ...p, commitment: noteCommitment({ amount, salt: s }) };
        const right = concat(bigintToBytes(amount, 8), bigintToBytes(s, 32), NO_BINDING);
        const encrypt = (plain: Uint8Array) => encryptTo(key.publicKey, copyInfo("recipient", there), plain);
        expect(await decryptRecipientCopy(key.secret, there, await encrypt(right))).not.toBeNull();
        const wrong = [
          right.subarray(0, -1),
          concat(right, Uint8Array.of(0)),
          concat(bigintToBytes(0n, 8), right.subarray(8)),
          concat(right.subarray(0, 8), bigintToBytes(2n ** 256n - 1n, 32), NO_BINDING),
        ];
        for (const plain of wrong)
          expect(await decryptRecipientCopy(key.secret, there, await encrypt(plain))).toBeNull();
      }),
      runs,
    );
  });
});

describe("payer copies", () => {
  it("open to available balance and note with the right key in the right place, and nowhere else", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          p: ref,
          accountKey: bytes(32),
          seed: bytes(32),
          tag: bytes(16),
          amount: positiveUnits,
          limit: units,
        }),
        copied,
        units,
        fc.nat(),
        async ({ p, accountKey, seed, tag, amount, limit }, w, old, bit) => {
          const available = { limit, window: w, salt: availableSaltOf(seed, p.scope, old) };
          const there = { ...p, commitment: availableCommitment(available) };
          const key = deriveViewingKey(accountKey, p.scope);
          const copy = { amount, limit, window: w, seed, tag };
          const encrypted = await encryptPayerCopy(key.publicKey, there, copy);
          expect(encrypted).toHaveLength(PAYER_COPY_LENGTH);
          expect(await decryptPayerCopy(key.secret, there, encrypted)).toEqual(copy);
          expect(availableOfCopy(copy, there, old)).toEqual(available);
          expect(availableOfCopy(copy, there, old + 1n)).toBeNull();
          expect(availableOfCopy({ ...copy, window: { ...w, day: w.day ^ 1n } }, there, old)).toBeNull();
          const note = { amount, salt: noteSaltOf(seed, p, amount) };
          expect(noteOfCopy(copy, { ...p, commitment: noteCommitment(note) })).toEqual(note);
          expect(noteOfCopy({ ...copy, amount: 0n }, p)).toBeNull();
          for (const elsewhere of otherPlaces(there)) {
            expect(await decryptPayerCopy(key.secret, elsewhere, encrypted)).toBeNull();
          }
          expect(await decryptPayerCopy(key.secret, there, withBitFlipped(encrypted, bit))).toBeNull();
          expect(await decryptBatchCopy(key.secret, there, encrypted)).toBeNull();
        },
      ),
      runs,
    );
  });

  it("of another length do not open, and values out of range are not encrypted", async () => {
    await fc.assert(
      fc.asyncProperty(ref, bytes(32), bytes(76), async (p, accountKey, plain) => {
        plain[24] = 0;
        const key = deriveViewingKey(accountKey, p.scope);
        const encrypt = (text: Uint8Array) => encryptTo(key.publicKey, copyInfo("payer", p), text);
        const copy = await decryptPayerCopy(key.secret, p, await encrypt(plain));
        expect(copy).not.toBeNull();
        expect(await decryptPayerCopy(key.secret, p, await encrypt(plain.subarray(1)))).toBeNull();
        expect(await decryptPayerCopy(key.secret, p, await encrypt(concat(plain, Uint8Array.of(0))))).toBeNull();
        if (!copy) return;
        const wrong = [
          { ...copy, amount: 2n ** 64n },
          { ...copy, limit: -1n },
          { ...copy, window: { ...copy.window, day: 2n ** 24n } },
          { ...copy, seed: bigintToBytes(0n, 31) },
          { ...copy, tag: bigintToBytes(0n, 17) },
        ];
        for (const bad of wrong) await expect(encryptPayerCopy(key.publicKey, p, bad)).rejects.toThrow();
      }),
      runs,
    );
  });
});

describe("payer copies of payments with a home key", () => {
  it("carry the epoch in the same length, and open to the seed that it gives", async () => {
    const opened = fc.nat(MOST_SEEDS - 1);
    const fields = fc.record({
      p: ref,
      accountKey: bytes(32),
      e: bytes(32),
      tag: bytes(16),
      amount: positiveUnits,
      opened,
    });
    await fc.assert(
      fc.asyncProperty(fields, copied, async ({ p, accountKey, e, tag, amount, opened }, w) => {
        const key = deriveViewingKey(accountKey, p.scope);
        const epoch = { seed: e, opened };
        const copy = {
          amount,
          limit: amount,
          window: w,
          seed: epochPaymentSeed(epoch, p.scope, tag, opened),
          tag,
          epoch,
        };
        const encrypted = await encryptPayerCopy(key.publicKey, p, copy);
        expect(encrypted).toHaveLength(PAYER_COPY_LENGTH);
        expect(await decryptPayerCopy(key.secret, p, encrypted)).toEqual(copy);
      }),
      runs,
    );
  });
});

describe("payer copies of batches", () => {
  it("are of one length, and open to the available balance and every note in the right place, and nowhere else", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ p: ref, accountKey: bytes(32), seed: bytes(32), tags, limit: units, amounts, window: copied }),
        units,
        fc.nat(),
        async ({ p, accountKey, ...copy }, old, bit) => {
          const available = { limit: copy.limit, window: copy.window, salt: availableSaltOf(copy.seed, p.scope, old) };
          const there = { ...p, commitment: availableCommitment(available) };
          const key = deriveViewingKey(accountKey, p.scope);
          const encrypted = await encryptBatchCopy(key.publicKey, there, copy);
          expect(encrypted).toHaveLength(BATCH_COPY_LENGTH);
          expect(await decryptBatchCopy(key.secret, there, encrypted)).toEqual(copy);
          expect(availableOfCopy(copy, there, old)).toEqual(available);
          copy.amounts.forEach((amount, index) => {
            const seed = batchPaymentSeed(copy.seed, p.scope, index);
            const note = { amount, salt: noteSaltOf(seed, p, amount) };
            const at = { ...p, commitment: amount === 0n ? 0n : noteCommitment(note) };
            expect(noteOfBatch(copy, at, index)).toEqual(amount === 0n ? null : note);
            expect(noteOfBatch(copy, at, index + 1)).toBeNull();
          });
          for (const elsewhere of otherPlaces(there)) {
            expect(await decryptBatchCopy(key.secret, elsewhere, encrypted)).toBeNull();
          }
          expect(await decryptBatchCopy(key.secret, there, withBitFlipped(encrypted, bit))).toBeNull();
          expect(await decryptPayerCopy(key.secret, there, encrypted)).toBeNull();
          expect([isBatchCopy(encrypted), isBatchCopy(encrypted.subarray(1))]).toEqual([true, false]);
          expect(copyTags(copy)).toEqual(copy.tags);
          const wrong = [
            { ...copy, amounts: copy.amounts.slice(1) },
            { ...copy, tags: copy.tags.slice(1) },
            { ...copy, tags: [...copy.tags.slice(1), new Uint8Array(15)] },
          ];
          for (const bad of wrong)
            await expect(encryptBatchCopy(key.publicKey, there, bad)).rejects.toThrow(RangeError);
        },
      ),
      runs,
    );
  });

  it("with a home key have the seed of an epoch, under which each payment's note is the same alone and at any place", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ p: ref, accountKey: bytes(32), e: bytes(32), tags, limit: units, amounts, window: copied }),
        units,
        async ({ p, accountKey, e, ...rest }, old) => {
          const copy = { ...rest, seed: epochBatchSeed({ seed: e }, p.scope, rest.tags), epoch: { seed: e } };
          const available = { limit: copy.limit, window: copy.window, salt: availableSaltOf(copy.seed, p.scope, old) };
          const there = { ...p, commitment: availableCommitment(available) };
          const key = deriveViewingKey(accountKey, p.scope);
          const encrypted = await encryptBatchCopy(key.publicKey, there, copy);
          expect(encrypted).toHaveLength(BATCH_COPY_LENGTH);
          const read = await decryptBatchCopy(key.secret, there, encrypted);
          expect(read).toEqual(copy);
          expect(read && availableOfCopy(read, there, old)).toEqual(available);
          copy.amounts.forEach((amount, index) => {
            const seed = epochPaymentSeed({ seed: e }, p.scope, copy.tags[index] ?? new Uint8Array());
            const note = { amount, salt: noteSaltOf(seed, p, amount) };
            if (amount > 0n) {
              expect(read && noteOfBatch(read, { ...p, commitment: noteCommitment(note) }, index)).toEqual(note);
            }
          });
        },
      ),
      runs,
    );
  });

  // The ledger accepts each note once, so two equal payments to one recipient must have different notes.
  it("give each payment a note of its own, also where recipient and amount are the same", () => {
    fc.assert(
      fc.property(ref, bytes(32), positiveUnits, (p, seed, amount) => {
        const salts = Array.from({ length: BATCH_PAYMENTS }, (_, index) =>
          noteSaltOf(batchPaymentSeed(seed, p.scope, index), p, amount),
        );
        expect(new Set([...salts, noteSaltOf(seed, p, amount)]).size).toBe(BATCH_PAYMENTS + 1);
      }),
      runs,
    );
  });
});
