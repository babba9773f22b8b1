import fc from "fast-check";
import { privateKeyToAddress } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { address, bytes, scope } from "@/test/ledger/arbitraries";
import { toHex } from "../crypto/bytes";
import { deriveOneTimeKey } from "../crypto/keys";
import { type ExactTerms, isSignedExactly, signExact, toOwner, toSeller } from "./authorizations";
import { sellerBinding, sellerOf } from "./seller-binding";

const domain = {
  name: "Global Dollar",
  version: "1",
  chainId: 46630,
  verifyingContract: `0x${"05".repeat(20)}`,
} as const;
const id = bytes(32).map(toHex);
const terms = fc.record({
  seller: address,
  returnTo: address,
  value: fc.bigInt(1n, 2n ** 64n),
  validBefore: fc.bigInt(1n, 2n ** 33n),
  paymentId: id,
});

describe("a one-time address", () => {
  it("is another for each payment, secret and ledger, and the same every time", () => {
    fc.assert(
      fc.property(bytes(32), bytes(32), scope, id, id, (secret, other, place, one, two) => {
        fc.pre(one !== two && toHex(secret) !== toHex(other));
        const of = (...args: Parameters<typeof deriveOneTimeKey>) => deriveOneTimeKey(...args).privateKey;
        const keys = [
          of(secret, place, one),
          of(secret, place, two),
          of(other, place, one),
          of(secret, { ...place, chainId: place.chainId + 1 }, one),
        ];
        expect(new Set(keys).size).toBe(keys.length);
        const { privateKey, address: derived } = deriveOneTimeKey(secret, place, one);
        expect([privateKey, derived]).toEqual([keys[0], privateKeyToAddress(privateKey)]);
      }),
      { numRuns: 20 },
    );
  });

  it("signs for the seller and for the owner so that no second is in both, and each nonce once", () => {
    fc.assert(
      fc.property(terms, address, (given, from) => {
        const [seller, owner] = [toSeller({ ...given, from }), toOwner({ ...given, from })];
        // EIP-3009: strictly after `validAfter` and strictly before `validBefore`.
        const isIn = (at: bigint, { validAfter, validBefore }: typeof seller) => validAfter < at && at < validBefore;
        for (const at of [given.validBefore - 1n, given.validBefore, given.validBefore + 1n]) {
          if (at > 0n) expect([isIn(at, seller), isIn(at, owner)].filter(Boolean)).toHaveLength(1);
        }
        expect([seller.to, owner.to]).toEqual([given.seller, given.returnTo]);
        expect(seller.nonce).not.toBe(owner.nonce);
      }),
    );
  });

  it("has signed exactly these terms and no others", async () => {
    await fc.assert(
      fc.asyncProperty(terms, bytes(32), scope, async (given, secret, place) => {
        const key = deriveOneTimeKey(secret, place, given.paymentId);
        const all: ExactTerms = { ...given, from: key.address };
        const signed = await signExact(domain, key.privateKey, all);
        expect(await signExact(domain, key.privateKey, all)).toEqual(signed);
        expect(await isSignedExactly(domain, all, signed)).toBe(true);
        const changes: Partial<ExactTerms>[] = [
          { seller: `0x${"51".repeat(20)}` },
          { returnTo: `0x${"52".repeat(20)}` },
          { from: `0x${"53".repeat(20)}` },
          { value: all.value + 1n },
          { validBefore: all.validBefore + 1n },
          { paymentId: `0x${"54".repeat(32)}` },
        ];
        for (const change of changes) expect(await isSignedExactly(domain, { ...all, ...change }, signed)).toBe(false);
        const { signature, returnSignature } = signed;
        for (const wrong of [
          { signature: returnSignature, returnSignature },
          { signature, returnSignature: signature },
          { signature: "0x" as const, returnSignature },
        ]) {
          expect(await isSignedExactly(domain, all, wrong)).toBe(false);
        }
        expect(await isSignedExactly({ ...domain, chainId: 1 }, all, signed)).toBe(false);
      }),
      { numRuns: 5 },
    );
  });
});

it("names the seller of a held public payment, and of no other", () => {
  fc.assert(
    fc.property(address, bytes(32), (seller, binding) => {
      expect(sellerOf({ kind: "release", binding: sellerBinding(seller) })).toBe(seller.toLowerCase());
      expect(sellerOf({ kind: "transfer", binding: sellerBinding(seller) })).toBeNull();
      expect(sellerOf({ kind: "release" })).toBeNull();
      fc.pre(binding.subarray(0, 12).some((byte) => byte !== 0));
      expect(sellerOf({ kind: "release", binding })).toBeNull();
    }),
  );
});
