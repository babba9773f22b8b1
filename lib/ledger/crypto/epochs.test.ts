import fc from "fast-check";
import { expect, test } from "vitest";
import { address, bytes, scope } from "@/test/ledger/arbitraries";
import { toHex } from "./bytes";
import { epochPaymentSeed } from "./epoch-seed";
import { blindRequestTag, epochsOn, firstEpochs, StateFromTheFuture } from "./epochs";
import { requestTag } from "./request-tag";

test("within its day an epoch stays, and so does the one before it", () => {
  const first = firstEpochs(20_000n);
  const second = epochsOn(first, 20_001n, true);
  expect(second.previous).toEqual(first.current);
  expect(second.current.seed).not.toEqual(first.current.seed);
  for (const isFinal of [true, false]) expect(epochsOn(second, 20_001n, isFinal)).toEqual(second);
});

test("only yesterday's epoch is kept, so a state has the seeds of two at most", () => {
  const first = firstEpochs(20_000n);
  expect(epochsOn(epochsOn(first, 20_001n, true), 20_002n, true).previous?.day).toBe(20_001n);
  for (const day of [20_002n, 20_400n]) {
    const later = epochsOn(first, day, true);
    expect(later.current.day).toBe(day);
    expect(later.previous).toBeUndefined();
  }
});

test("over a commitment that is not final no epoch begins, whatever day it is", () => {
  const first = firstEpochs(20_000n);
  for (const day of [20_001n, 20_002n, 20_400n]) expect(epochsOn(first, day, false)).toEqual(first);
});

test("a state of a day that the client's node has not reached is refused", () => {
  const later = firstEpochs(20_001n);
  for (const isFinal of [true, false]) {
    expect(() => epochsOn(later, 20_000n, isFinal)).toThrow(StateFromTheFuture);
  }
});

test("a request's tag and seed are its own: another payer, key, request, ledger, epoch or opened note has others", () => {
  const id = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCharCode(c)), minLength: 1 });
  const inputs = fc.record({ s: scope, secret: bytes(32), account: address, keyHash: bytes(32), id });
  fc.assert(
    fc.property(inputs, inputs, bytes(32), ({ s, secret, account, keyHash, id: key }, other, seed) => {
      const tag = blindRequestTag(secret, s, account, keyHash, key);
      expect(tag).toHaveLength(16);
      expect(blindRequestTag(secret, s, account, keyHash, key)).toEqual(tag);
      const others = [
        blindRequestTag(other.secret, s, account, keyHash, key),
        blindRequestTag(secret, { ...s, ledger: other.s.ledger }, account, keyHash, key),
        blindRequestTag(secret, s, other.account, keyHash, key),
        blindRequestTag(secret, s, account, other.keyHash, key),
        blindRequestTag(secret, s, account, keyHash, `${key} `),
        // A plain key's request can't be named so that it has a blind one's tag.
        requestTag(secret, s, account, key),
        requestTag(secret, s, account, `${toHex(keyHash)}/${key}`),
      ];
      const epoch = { day: 20_000n, seed };
      const seeds = [
        ...[0, 1, 2].map((opened) => epochPaymentSeed(epoch, s, tag, opened)),
        epochPaymentSeed(epoch, s, others[0] ?? tag),
        epochPaymentSeed({ ...epoch, seed: other.secret }, s, tag),
      ];
      expect(new Set([tag, ...others].map(toHex)).size).toBe(others.length + 1);
      expect(new Set(seeds.map(toHex)).size).toBe(seeds.length);
    }),
    { numRuns: 20 },
  );
  const epoch = firstEpochs(20_000n).current;
  expect(() => epochPaymentSeed(epoch, fc.sample(scope, 1)[0] as never, new Uint8Array(16), -1)).toThrow(RangeError);
});
