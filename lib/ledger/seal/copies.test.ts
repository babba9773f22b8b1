import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes, otherPlaces, positiveUnits, ref, salt, units, withBitFlipped } from "@/test/ledger/arbitraries";
import { bigintToBytes, concat } from "../crypto/bytes";
import { budgetCommitment, noteCommitment } from "../crypto/commitments";
import { sealTo } from "../crypto/hpke";
import { deriveViewingKey } from "../crypto/keys";
import { budgetSaltOf, noteSaltOf } from "../crypto/seed";
import {
  budgetOfCopy,
  copyInfo,
  noteOfCopy,
  openPayerCopy,
  openRecipientCopy,
  PAYER_COPY_LENGTH,
  RECIPIENT_COPY_LENGTH,
  sealPayerCopy,
  sealRecipientCopy,
} from "./copies";

const runs = { numRuns: 15 };

describe("recipient copies", () => {
  // What opens is the note; what does not open exactly the note is no note at all.
  it("open to their note with the right key in the right place, and nowhere else", async () => {
    await fc.assert(
      fc.asyncProperty(
        ref,
        bytes(32),
        bytes(32),
        positiveUnits,
        salt,
        fc.nat(),
        async (p, root, other, amount, s, bit) => {
          fc.pre(!other.every((byte, i) => byte === root[i]));
          const note = { amount, salt: s };
          const there = { ...p, commitment: noteCommitment(note) };
          const key = deriveViewingKey(root, p.scope);
          const sealed = await sealRecipientCopy(key.publicKey, there, note);
          expect(sealed).toHaveLength(RECIPIENT_COPY_LENGTH);
          expect(await openRecipientCopy(key.secret, there, sealed)).toEqual(note);
          for (const elsewhere of otherPlaces(there)) {
            expect(await openRecipientCopy(key.secret, elsewhere, sealed)).toBeNull();
          }
          expect(await openRecipientCopy(deriveViewingKey(other, p.scope).secret, there, sealed)).toBeNull();
          expect(await openRecipientCopy(key.secret, there, withBitFlipped(sealed, bit))).toBeNull();
          expect(await openRecipientCopy(key.secret, there, sealed.subarray(0, 40))).toBeNull();
        },
      ),
      runs,
    );
  });

  it("that were sealed well but contradict the commitment are not believed", async () => {
    await fc.assert(
      fc.asyncProperty(ref, bytes(32), positiveUnits, salt, async (p, root, amount, s) => {
        const key = deriveViewingKey(root, p.scope);
        const lie = concat(bigintToBytes(amount, 8), bigintToBytes(s, 32));
        const sealed = await sealTo(key.publicKey, copyInfo("recipient", p), lie);
        expect(await openRecipientCopy(key.secret, p, sealed)).toBeNull();
      }),
      runs,
    );
  });
});

describe("payer copies", () => {
  it("open to limit, seed, budget and note with the right key in the right place, and nowhere else", async () => {
    await fc.assert(
      fc.asyncProperty(
        ref,
        bytes(32),
        bytes(32),
        positiveUnits,
        units,
        fc.nat(),
        units,
        async (p, root, seed, amount, limit, bit, old) => {
          const budget = { limit, salt: budgetSaltOf(seed, p.scope, old) };
          const there = { ...p, commitment: budgetCommitment(budget) };
          const key = deriveViewingKey(root, p.scope);
          const sealed = await sealPayerCopy(key.publicKey, there, { amount, limit, seed });
          expect(sealed).toHaveLength(PAYER_COPY_LENGTH);
          const note = { amount, salt: noteSaltOf(seed, p, amount) };
          const noteThere = { ...p, commitment: noteCommitment(note) };
          const opened = await openPayerCopy(key.secret, there, sealed);
          expect(opened).toEqual({ amount, limit, seed });
          if (opened) {
            expect(budgetOfCopy(opened, there, old)).toEqual(budget);
            expect(budgetOfCopy(opened, there, old + 1n)).toBeNull();
            expect(noteOfCopy(opened, noteThere)).toEqual(note);
            expect(noteOfCopy({ ...opened, amount: amount === 1n ? 2n : amount - 1n }, noteThere)).toBeNull();
            expect(noteOfCopy({ ...opened, amount: 0n }, noteThere)).toBeNull();
          }
          for (const elsewhere of otherPlaces(there)) {
            expect(await openPayerCopy(key.secret, elsewhere, sealed)).toBeNull();
          }
          expect(await openPayerCopy(key.secret, there, withBitFlipped(sealed, bit))).toBeNull();
          expect(await openRecipientCopy(key.secret, there, sealed)).toBeNull();
        },
      ),
      runs,
    );
  });

  it("that recompute neither the budget word nor the note are not believed", async () => {
    await fc.assert(
      fc.asyncProperty(ref, bytes(32), bytes(32), units, async (p, root, seed, limit) => {
        const key = deriveViewingKey(root, p.scope);
        const sealed = await sealPayerCopy(key.publicKey, p, { amount: 1n, limit, seed });
        const opened = await openPayerCopy(key.secret, p, sealed);
        expect(opened && budgetOfCopy(opened, p, 0n)).toBeNull();
        expect(opened && noteOfCopy(opened, p)).toBeNull();
      }),
      runs,
    );
  });
});
