import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32 } from "@/lib/ledger/crypto/base62";
import { address, bytes, scope, withBitFlipped } from "@/test/ledger/arbitraries";
import { utf8 } from "../crypto/bytes";
import { DecryptionFailed, InvalidApiKey } from "../crypto/errors";
import {
  describeApiKey,
  generateApiKey,
  hashApiKey,
  parseApiKey,
  unwrapFlagKey,
  unwrapSecret,
  wrapFlagKey,
  wrapSecret,
} from "./api-key";

const chainId = fc.constantFrom(46630 as const, 4663 as const);

describe("API keys", () => {
  it("have the documented shape, name their network and never repeat", () => {
    const keys = Array.from({ length: 200 }, (_, i) => generateApiKey(i % 2 ? 46630 : 4663));
    expect(new Set(keys).size).toBe(200);
    keys.forEach((key, i) => {
      expect(key).toMatch(i % 2 ? /^hc_test_[0-9A-Za-z]{49}$/ : /^hc_live_[0-9A-Za-z]{49}$/);
      expect(parseApiKey(key).chainId).toBe(i % 2 ? 46630 : 4663);
      expect(describeApiKey(key)).toEqual({ prefix: key.slice(0, 8), lastFour: key.slice(-4) });
    });
  });

  it("with any one character changed, added or missing are refused before any look-up", () => {
    fc.assert(
      fc.property(chainId, fc.nat(56), fc.constantFrom(..."0Zaq_ é"), (chain, at, character) => {
        const key = generateApiKey(chain);
        fc.pre(key[at] !== character);
        for (const wrong of [
          key.slice(0, at) + character + key.slice(at + 1),
          key.slice(0, at) + key.slice(at + 1),
          `${key}${character}`,
          ` ${key}`,
          `${key}\n`,
        ]) {
          expect(() => parseApiKey(wrong)).toThrow(InvalidApiKey);
        }
      }),
    );
  });

  it("use the CRC-32 of IEEE 802.3 and 32-byte hashes", () => {
    expect(crc32(utf8("123456789"))).toBe(0xcbf43926);
    expect(hashApiKey(generateApiKey(46630))).toHaveLength(32);
  });

  // An encrypted secret moved to another row, account, network, ledger or version is useless.
  it("open their wraps in their own place only, and the flag wrap never gives the secret", () => {
    fc.assert(
      fc.property(scope, address, address, bytes(32), bytes(32), fc.nat(), (sc, holder, other, secret, held, bit) => {
        fc.pre(holder !== other);
        const key = generateApiKey(46630);
        const there = { scope: sc, holder, version: 1 };
        const authority = hashApiKey(key);
        const wrap = wrapSecret(key, there, { secret, authority, heldPublicKey: held });
        const flagWrap = wrapFlagKey(key, there, secret);
        expect(unwrapSecret(key, there, wrap)).toEqual({ secret, authority, heldPublicKey: held });
        expect(unwrapFlagKey(key, there, flagWrap)).toEqual(secret);
        for (const elsewhere of [
          { ...there, holder: other },
          { ...there, version: 2 },
          { ...there, scope: { ...sc, chainId: sc.chainId + 1 } },
          { ...there, scope: { ...sc, ledger: other } },
        ]) {
          expect(() => unwrapSecret(key, elsewhere, wrap)).toThrow(DecryptionFailed);
          expect(() => unwrapFlagKey(key, elsewhere, flagWrap)).toThrow(DecryptionFailed);
        }
        expect(() => unwrapSecret(generateApiKey(46630), there, wrap)).toThrow(DecryptionFailed);
        expect(() => unwrapSecret(key, there, withBitFlipped(wrap, bit))).toThrow(DecryptionFailed);
        expect(() => unwrapSecret(key, there, flagWrap)).toThrow(DecryptionFailed);
        expect(() => unwrapFlagKey(key, there, wrap)).toThrow(DecryptionFailed);
      }),
      { numRuns: 30 },
    );
  });
});
