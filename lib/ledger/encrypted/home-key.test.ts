import { ed25519 } from "@noble/curves/ed25519.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes, scope, withBitFlipped } from "@/test/ledger/arbitraries";
import { fromHex, toHex } from "../crypto/bytes";
import { InvalidApiKey } from "../crypto/errors";
import { generateApiKey, parseApiKey } from "./api-key";
import {
  generateHomeKey,
  homeWrapKey,
  InvalidHomeKey,
  isSignedByRequestKey,
  parseHomeKey,
  requestKeyOf,
  type SignedRequest,
  signWithRequestKey,
} from "./home-key";

const line = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => !text.includes("\n"));
const request: fc.Arbitrary<SignedRequest> = fc.record({
  scope,
  keyHash: bytes(32),
  method: fc.constantFrom("POST", "PUT"),
  path: line.map((text) => `/v1/${text}`),
  idempotencyKey: line,
  digest: bytes(32),
});

describe("home keys", () => {
  it("have the documented shape, name their network, never repeat and are no API keys", () => {
    const keys = Array.from({ length: 200 }, (_, i) => generateHomeKey(i % 2 ? 46630 : 4663));
    expect(new Set(keys).size).toBe(200);
    keys.forEach((key, i) => {
      expect(key).toMatch(i % 2 ? /^hch_test_[0-9A-Za-z]{49}$/ : /^hch_live_[0-9A-Za-z]{49}$/);
      expect(parseHomeKey(key).chainId).toBe(i % 2 ? 46630 : 4663);
      expect(() => parseApiKey(key)).toThrow(InvalidApiKey);
      expect(() => parseHomeKey(generateApiKey(46630))).toThrow(InvalidHomeKey);
    });
  });

  it("with any one character changed, added or missing are refused", () => {
    fc.assert(
      fc.property(fc.nat(57), fc.constantFrom(..."0Zaq_ é"), (at, character) => {
        const key = generateHomeKey(46630);
        fc.pre(key[at] !== character);
        for (const wrong of [
          key.slice(0, at) + character + key.slice(at + 1),
          key.slice(0, at) + key.slice(at + 1),
          `${key}${character}`,
          ` ${key}`,
          `${key}\n`,
        ]) {
          expect(() => parseHomeKey(wrong)).toThrow(InvalidHomeKey);
        }
      }),
    );
  });

  it("derive independent keys, per ledger", () => {
    fc.assert(
      fc.property(scope, scope, (here, there) => {
        fc.pre(here.ledger !== there.ledger);
        const key = generateHomeKey(46630);
        const derived = [here, there].flatMap((place) => [
          homeWrapKey(key, place),
          requestKeyOf(key, place).secret,
          requestKeyOf(key, place).publicKey,
        ]);
        expect(new Set(derived.map(toHex)).size).toBe(6);
      }),
      { numRuns: 20 },
    );
  });
});

describe("a request key", () => {
  it("signs exactly one request: with any part changed the signature counts for nothing", () => {
    fc.assert(
      fc.property(request, fc.nat(), bytes(32), (asked, bit, other) => {
        const { secret, publicKey } = requestKeyOf(generateHomeKey(46630), asked.scope);
        const signature = fromHex(signWithRequestKey(secret, asked));
        expect(signature).toHaveLength(64);
        expect(isSignedByRequestKey(publicKey, asked, signature)).toBe(true);
        const others: SignedRequest[] = [
          { ...asked, digest: other },
          { ...asked, keyHash: other },
          { ...asked, method: "PATCH" },
          { ...asked, path: `${asked.path}x` },
          { ...asked, idempotencyKey: `${asked.idempotencyKey}x` },
          { ...asked, scope: { ...asked.scope, chainId: asked.scope.chainId + 1 } },
          { ...asked, scope: { ...asked.scope, ledger: `0x${"ab".repeat(20)}` } },
        ];
        for (const one of others) expect(isSignedByRequestKey(publicKey, one, signature)).toBe(false);
        expect(isSignedByRequestKey(publicKey, asked, withBitFlipped(signature, bit))).toBe(false);
        expect(isSignedByRequestKey(ed25519.getPublicKey(other), asked, signature)).toBe(false);
        expect(isSignedByRequestKey(publicKey, asked, signature.subarray(1))).toBe(false);
      }),
      { numRuns: 15 },
    );
  });

  it("signs no text with a line feed, in which two requests could be one", () => {
    fc.assert(
      fc.property(request, fc.constantFrom("method", "path", "idempotencyKey"), (asked, part) => {
        const { secret, publicKey } = requestKeyOf(generateHomeKey(46630), asked.scope);
        const split = { ...asked, [part]: `${asked[part]}\nx` };
        expect(() => signWithRequestKey(secret, split)).toThrow(RangeError);
        expect(isSignedByRequestKey(publicKey, split, new Uint8Array(64))).toBe(false);
      }),
      { numRuns: 10 },
    );
  });

  it("of low order signs for no one", () => {
    // The neutral element verifies everything where only the equation is checked.
    const neutral = Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 1 : 0));
    const forged = Uint8Array.from({ length: 64 }, (_, at) => (at === 0 ? 1 : 0));
    const place = { chainId: 46630, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` } as const;
    const asked = { scope: place, keyHash: neutral, method: "POST", path: "/v1", idempotencyKey: "", digest: neutral };
    expect(isSignedByRequestKey(neutral, asked, forged)).toBe(false);
  });
});
