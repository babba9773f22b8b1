import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes, otherPlaces, ref, salt, scope, withBitFlipped, word } from "@/test/ledger/arbitraries";
import { InvalidMemo, UnsealFailed } from "../crypto/errors";
import { deriveViewingKey } from "../crypto/keys";
import {
  openNoteMemo,
  openPayerMemo,
  openRecipientMemo,
  RECIPIENT_MEMO_LENGTH,
  SEALED_MEMO_LENGTH,
  sealNoteMemo,
  sealPayerMemo,
  sealRecipientMemo,
} from "./memo";

const text = fc.string({ unit: "binary", maxLength: 128 });

describe("memos", () => {
  // Otherwise the length would distinguish memos.
  it("come back as written from texts of one length, whatever they say", () => {
    fc.assert(
      fc.property(scope, word, salt, bytes(32), text, fc.nat(), (sc, commitment, s, seed, memo, bit) => {
        const byNote = sealNoteMemo(sc, commitment, s, memo);
        const byPayer = sealPayerMemo(sc, commitment, seed, memo);
        expect([byNote.length, byPayer.length]).toEqual([SEALED_MEMO_LENGTH, SEALED_MEMO_LENGTH]);
        expect(openNoteMemo(sc, commitment, s, byNote)).toBe(memo);
        expect(openPayerMemo(sc, commitment, seed, byPayer)).toBe(memo);
        expect(() => openNoteMemo(sc, commitment ^ 1n, s, byNote)).toThrow(UnsealFailed);
        expect(() => openNoteMemo(sc, commitment, s ^ 1n, byNote)).toThrow(UnsealFailed);
        expect(() => openPayerMemo(sc, commitment, seed, withBitFlipped(byPayer, bit))).toThrow(UnsealFailed);
      }),
      { numRuns: 40 },
    );
  });

  it("of releases open for their recipient in their place only", async () => {
    await fc.assert(
      fc.asyncProperty(ref, bytes(32), text, async (p, root, memo) => {
        const key = deriveViewingKey(root, p.scope);
        const sealed = await sealRecipientMemo(key.publicKey, p, memo);
        expect(sealed).toHaveLength(RECIPIENT_MEMO_LENGTH);
        expect(await openRecipientMemo(key.secret, p, sealed)).toBe(memo);
        for (const elsewhere of otherPlaces(p)) {
          await expect(openRecipientMemo(key.secret, elsewhere, sealed)).rejects.toBeInstanceOf(UnsealFailed);
        }
      }),
      { numRuns: 8 },
    );
  });

  it("hold 512 bytes of UTF-8 and not one more, and no lone surrogate", () => {
    const sc = { chainId: 4663, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` } as const;
    const roundTrip = (memo: string) => openNoteMemo(sc, 1n, 1n, sealNoteMemo(sc, 1n, 1n, memo));
    for (const fine of ["", "a".repeat(512), "é".repeat(256), "😀".repeat(128), "\u0000x", "\ufeffbom"]) {
      expect(roundTrip(fine)).toBe(fine);
    }
    for (const wrong of ["a".repeat(513), "é".repeat(257), "\ud800", "x\udc00y", "\udc00\ud800"]) {
      expect(() => sealNoteMemo(sc, 1n, 1n, wrong)).toThrow(InvalidMemo);
    }
  });
});
