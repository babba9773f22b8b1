import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { address, bytes, scope, withBitFlipped } from "@/test/ledger/arbitraries";
import { DecryptionFailed } from "../crypto/errors";
import { generateApiKey, hashApiKey, unwrapFlagKey, unwrapSecret } from "./api-key";
import {
  ACCESS_WRAP_LENGTH,
  decryptAccess,
  decryptHome,
  encryptAccess,
  encryptHome,
  type HomeContent,
} from "./blind-key";
import { generateHomeKey, requestKeyOf } from "./home-key";

const asset = fc.record({
  symbol: fc.constantFrom("USDG", "ETH", "€URO"),
  address,
  decimals: fc.integer({ min: 0, max: 18 }),
  unit: fc.bigInt(1n, (1n << 64n) - 1n),
});
const content: fc.Arbitrary<HomeContent> = fc.record({
  knowledge: bytes(32),
  heldPublicKey: bytes(32),
  viewingKey: bytes(32),
  holder: address,
  owner: address,
  paymentKey: address,
  scope,
  assets: fc.array(asset, { maxLength: 5 }),
});

/** Every description of a key but its own. */
function elsewhere<T extends { scope: HomeContent["scope"]; holder: HomeContent["holder"]; version: number }>(
  there: T,
  other: HomeContent["holder"],
): T[] {
  return [
    { ...there, holder: other },
    { ...there, version: there.version + 1 },
    { ...there, scope: { ...there.scope, chainId: there.scope.chainId + 1 } },
    { ...there, scope: { ...there.scope, ledger: other } },
  ];
}

describe("the access wrap of a blind key", () => {
  it("gives authority to its own key in its own place only, and to no plain key", () => {
    fc.assert(
      fc.property(scope, address, address, bytes(32), fc.nat(), (here, holder, other, authority, bit) => {
        fc.pre(holder !== other);
        const [text, requestKey] = [generateApiKey(46630), requestKeyOf(generateHomeKey(46630), here).publicKey];
        const there = { scope: here, holder, version: 1, requestKey };
        const wrap = encryptAccess(text, there, authority);
        expect(wrap).toHaveLength(ACCESS_WRAP_LENGTH);
        expect(decryptAccess(text, there, wrap)).toEqual(authority);
        const another = requestKeyOf(generateHomeKey(46630), here).publicKey;
        for (const place of [...elsewhere(there, other), { ...there, requestKey: another }]) {
          expect(() => decryptAccess(text, place, wrap)).toThrow(DecryptionFailed);
        }
        expect(() => decryptAccess(generateApiKey(46630), there, wrap)).toThrow(DecryptionFailed);
        expect(() => decryptAccess(text, there, withBitFlipped(wrap, bit))).toThrow(DecryptionFailed);
        expect(() => unwrapSecret(text, there, wrap)).toThrow(DecryptionFailed);
        expect(() => unwrapFlagKey(text, there, wrap)).toThrow(DecryptionFailed);
      }),
      { numRuns: 20 },
    );
  });
});

describe("the home wrap of a blind key", () => {
  it("gives exactly what its client stored, to its own home key and API key in their own place", () => {
    fc.assert(
      fc.property(content, address, fc.nat(), (stored, other, bit) => {
        fc.pre(stored.holder !== other && stored.scope.ledger !== other);
        const [text, homeKey] = [generateApiKey(46630), generateHomeKey(46630)];
        const there = { scope: stored.scope, holder: stored.holder, version: 1 };
        const wrap = encryptHome(homeKey, hashApiKey(text), there, stored);
        expect(decryptHome(homeKey, hashApiKey(text), there, wrap)).toEqual(stored);
        for (const place of elsewhere(there, other)) {
          expect(() => decryptHome(homeKey, hashApiKey(text), place, wrap)).toThrow(DecryptionFailed);
        }
        const wrong = [
          () => decryptHome(generateHomeKey(46630), hashApiKey(text), there, wrap),
          () => decryptHome(homeKey, hashApiKey(generateApiKey(46630)), there, wrap),
          () => decryptHome(homeKey, hashApiKey(text), there, withBitFlipped(wrap, bit)),
          () => decryptHome(homeKey, hashApiKey(text), there, wrap.subarray(0, -1)),
          // The bearer, which the service sees, opens nothing of it.
          () => decryptHome(text, hashApiKey(text), there, wrap),
        ];
        for (const open of wrong) expect(open).toThrow(DecryptionFailed);
      }),
      { numRuns: 20 },
    );
  });

  it("for another holder or ledger than it says inside is refused", () => {
    fc.assert(
      fc.property(content, address, (stored, other) => {
        fc.pre(stored.holder !== other && stored.scope.ledger !== other);
        const [text, homeKey] = [generateApiKey(46630), generateHomeKey(46630)];
        const places = [
          { scope: stored.scope, holder: other, version: 1 },
          { scope: { ...stored.scope, ledger: other }, holder: stored.holder, version: 1 },
        ];
        for (const place of places) {
          const wrap = encryptHome(homeKey, hashApiKey(text), place, stored);
          expect(() => decryptHome(homeKey, hashApiKey(text), place, wrap)).toThrow(DecryptionFailed);
        }
      }),
      { numRuns: 10 },
    );
  });
});
