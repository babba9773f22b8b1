import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes, commitment, otherPlaces, ref, salt, scope, withBitFlipped } from "@/test/ledger/arbitraries";
import { DecryptionFailed, InvalidMemo } from "../crypto/errors";
import { deriveViewingKey } from "../crypto/keys";
import {
  decryptNoteMemo,
  decryptPayerMemo,
  decryptRecipientMemo,
  ENCRYPTED_MEMO_LENGTH,
  encryptNoteMemo,
  encryptPayerMemo,
  encryptRecipientMemo,
  RECIPIENT_MEMO_LENGTH,
} from "./memo";

const text = fc.string({ unit: "binary", maxLength: 128 });

describe("memos", () => {
  // Otherwise the length would distinguish memos.
  it("come back as written from texts of one length, whatever they say", () => {
    fc.assert(
      fc.property(scope, commitment, salt, bytes(32), text, fc.nat(), (sc, commitment, s, seed, memo, bit) => {
        const byNote = encryptNoteMemo(sc, commitment, s, memo);
        const byPayer = encryptPayerMemo(sc, commitment, seed, memo);
        expect([byNote.length, byPayer.length]).toEqual([ENCRYPTED_MEMO_LENGTH, ENCRYPTED_MEMO_LENGTH]);
        expect(decryptNoteMemo(sc, commitment, s, byNote)).toBe(memo);
        expect(decryptPayerMemo(sc, commitment, seed, byPayer)).toBe(memo);
        expect(() => decryptNoteMemo(sc, commitment ^ 1n, s, byNote)).toThrow(DecryptionFailed);
        expect(() => decryptNoteMemo(sc, commitment, s ^ 1n, byNote)).toThrow(DecryptionFailed);
        expect(() => decryptPayerMemo(sc, commitment, seed, withBitFlipped(byPayer, bit))).toThrow(DecryptionFailed);
      }),
      { numRuns: 40 },
    );
  });

  it("of releases open for their recipient in their place only", async () => {
    await fc.assert(
      fc.asyncProperty(ref, bytes(32), text, async (p, accountKey, memo) => {
        const key = deriveViewingKey(accountKey, p.scope);
        const encrypted = await encryptRecipientMemo(key.publicKey, p, memo);
        expect(encrypted).toHaveLength(RECIPIENT_MEMO_LENGTH);
        expect(await decryptRecipientMemo(key.secret, p, encrypted)).toBe(memo);
        for (const elsewhere of otherPlaces(p)) {
          await expect(decryptRecipientMemo(key.secret, elsewhere, encrypted)).rejects.toBeInstanceOf(DecryptionFailed);
        }
      }),
      { numRuns: 8 },
    );
  });

  it("hold 512 bytes of UTF-8 and not one more, and no lone surrogate", () => {
    const sc = { chainId: 4663, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` } as const;
    const roundTrip = (memo: string) => decryptNoteMemo(sc, 1n, 1n, encryptNoteMemo(sc, 1n, 1n, memo));
    for (const fine of ["", "a".repeat(512), "é".repeat(256), "😀".repeat(128), "\u0000x", "\ufeffbom"]) {
      expect(roundTrip(fine)).toBe(fine);
    }
    for (const wrong of ["a".repeat(513), "é".repeat(257), "\ud800", "x\udc00y", "\udc00\ud800"]) {
      expect(() => encryptNoteMemo(sc, 1n, 1n, wrong)).toThrow(InvalidMemo);
    }
  });
});
