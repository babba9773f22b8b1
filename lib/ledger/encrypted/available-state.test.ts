import fc from "fast-check";
import { expect, it } from "vitest";
import { bytes, otherPlaces, ref, salt, units, window, withBitFlipped } from "@/test/ledger/arbitraries";
import { encrypt } from "../crypto/aead";
import { bigintToBytes, concat } from "../crypto/bytes";
import { availableCommitment } from "../crypto/commitments";
import { DecryptionFailed } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import { deriveFlagKey } from "../crypto/keys";
import { commitmentRefBytes } from "../crypto/scope";
import {
  decryptAvailableState,
  decryptFlag,
  ENCRYPTED_STATE_MIN_LENGTH,
  encryptAvailableState,
} from "./available-state";

const runs = { numRuns: 20 };
const counters = fc.option(fc.uint8Array({ minLength: 1, maxLength: 100 }), { nil: undefined });

it("encrypted states open with their window under their secret in their place, and nowhere else", () => {
  fc.assert(
    fc.property(
      fc.record({ p: ref, secret: bytes(32), other: bytes(32), limit: units, salt, window, counters }),
      fc.nat(),
      ({ p, secret, other, limit, salt: s, window: w, counters: c }, bit) => {
        fc.pre(!other.every((byte, i) => byte === secret[i]));
        const available = { limit, salt: s, window: w, ...(c && { counters: c }) };
        const there = { ...p, commitment: availableCommitment(available) };
        const { encrypted, flag } = encryptAvailableState(secret, there, available);
        expect(encrypted).toHaveLength(ENCRYPTED_STATE_MIN_LENGTH + (c?.length ?? 0));
        expect(decryptAvailableState(secret, there, encrypted)).toEqual(available);
        expect(decryptFlag(deriveFlagKey(secret, p.scope), there, flag)).toBe(limit > 0n);
        for (const elsewhere of otherPlaces(there)) {
          expect(() => decryptAvailableState(secret, elsewhere, encrypted)).toThrow(DecryptionFailed);
        }
        expect(() => decryptAvailableState(other, there, encrypted)).toThrow(DecryptionFailed);
        expect(() => decryptAvailableState(secret, there, withBitFlipped(encrypted, bit))).toThrow(DecryptionFailed);
      },
    ),
    runs,
  );
});

it("a state that was just encrypted is looked through all the same: another opening is never taken for it", () => {
  const different = fc.constantFrom("limit", "salt", "spent", "day");
  fc.assert(
    fc.property(ref, bytes(32), units, salt, window, different, (p, secret, limit, s, w, field) => {
      const available = { limit, salt: s, window: w };
      const other = {
        limit: field === "limit" ? limit ^ 1n : limit,
        salt: field === "salt" ? (s > 1n ? s - 1n : 2n) : s,
        window: { spent: field === "spent" ? w.spent ^ 1n : w.spent, day: field === "day" ? w.day ^ 1n : w.day },
      };
      const there = { ...p, commitment: availableCommitment(available) };
      const { encrypted } = encryptAvailableState(secret, there, available);
      expect(decryptAvailableState(secret, there, encrypted, available)).toEqual(available);
      // The reference has the other opening's word, but the encrypted opening is the original one.
      const instead = { ...p, commitment: availableCommitment(other) };
      const plain = concat(
        Uint8Array.of(2),
        bigintToBytes(limit, 8),
        bigintToBytes(w.spent, 8),
        bigintToBytes(w.day, 4),
        bigintToBytes(s, 32),
      );
      const wrong = encrypt(hkdf(secret, "budget state", p.scope), commitmentRefBytes(instead), plain);
      expect(() => decryptAvailableState(secret, instead, wrong, other)).toThrow(DecryptionFailed);
    }),
    runs,
  );
});

it("states are not encrypted for another available balance commitment than their own", () => {
  fc.assert(
    fc.property(ref, bytes(32), units, salt, window, (p, secret, limit, s, w) => {
      expect(() => encryptAvailableState(secret, p, { limit, salt: s, window: w })).toThrow(DecryptionFailed);
    }),
    runs,
  );
});

// The owner's client also writes states. Its mistakes must be reported as unreadable states, not as other errors.
it("states of an available balance that has no commitment are refused like any other", () => {
  fc.assert(
    fc.property(ref, bytes(32), units, (p, secret, limit) => {
      fc.pre(limit > 0n);
      const plain = concat(Uint8Array.of(2), bigintToBytes(limit, 8), new Uint8Array(8 + 4 + 32));
      const encrypted = encrypt(hkdf(secret, "budget state", p.scope), commitmentRefBytes(p), plain);
      expect(encrypted).toHaveLength(ENCRYPTED_STATE_MIN_LENGTH);
      expect(() => decryptAvailableState(secret, p, encrypted)).toThrow(DecryptionFailed);
    }),
    runs,
  );
});
