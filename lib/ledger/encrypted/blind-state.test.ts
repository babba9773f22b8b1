import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes, otherPlaces, ref, salt, units, window, withBitFlipped } from "@/test/ledger/arbitraries";
import { toHex } from "../crypto/bytes";
import { availableCommitment } from "../crypto/commitments";
import type { Epochs } from "../crypto/epochs";
import { DecryptionFailed } from "../crypto/errors";
import { keptOf } from "../prepare/payer-parts";
import { decryptAvailableState, ENCRYPTED_BLIND_STATE_LENGTH, encryptAvailableState } from "./available-state";
import {
  type BlindState,
  type BlindStateRef,
  blindPartBytes,
  blindPartOf,
  decryptBlindState,
  encryptBlindState,
  mayTakePolicy,
} from "./blind-state";

const runs = { numRuns: 20 };
const epochs = fc
  .record({ day: fc.bigInt(1n, 2n ** 32n - 1n), seeds: fc.tuple(bytes(32), bytes(32)), hasPrevious: fc.boolean() })
  .map(({ day, seeds: [seed, before], hasPrevious }): Epochs => {
    const current = { day, seed };
    return hasPrevious ? { current, previous: { day: day - 1n, seed: before } } : { current };
  });
const state: fc.Arbitrary<BlindState> = fc.record({
  opening: fc.record({ limit: units, salt, window }),
  epochs,
  policy: fc.record({ version: fc.bigInt(0n, 2n ** 64n - 1n), hash: bytes(32) }),
  tags: fc.array(bytes(16), { maxLength: 16 }),
});
const place = fc.record({ p: ref, madeBy: bytes(32) });
const refOf = (opening: BlindState["opening"], { p, madeBy }: { p: BlindStateRef | object; madeBy: Uint8Array }) =>
  ({ ...p, commitment: availableCommitment(opening), madeBy: toHex(madeBy) }) as BlindStateRef;

describe("a state that only clients with a home key read", () => {
  it("opens with all it has under its secret in its place, and nowhere else", () => {
    fc.assert(
      fc.property(state, place, bytes(32), bytes(32), fc.nat(), (s, at, secret, other, bit) => {
        fc.pre(toHex(secret) !== toHex(other) && toHex(at.madeBy) !== toHex(other));
        const there = refOf(s.opening, at);
        const encrypted = encryptBlindState(secret, there, s);
        expect(decryptBlindState(secret, there, encrypted)).toEqual(s);
        const elsewhere = otherPlaces(there).map((one) => ({ ...one, madeBy: there.madeBy }));
        for (const wrong of [...elsewhere, { ...there, madeBy: toHex(other) }]) {
          expect(() => decryptBlindState(secret, wrong, encrypted)).toThrow(DecryptionFailed);
        }
        expect(() => decryptBlindState(other, there, encrypted)).toThrow(DecryptionFailed);
        expect(() => decryptBlindState(secret, there, withBitFlipped(encrypted, bit))).toThrow(DecryptionFailed);
      }),
      runs,
    );
  });

  it("is stored with what made it, and read and kept by every client of its account, which need not know what it keeps", () => {
    fc.assert(
      fc.property(state, place, bytes(32), fc.nat(), ({ opening, ...part }, at, secret, bit) => {
        const there = refOf(opening, at);
        const available = { ...opening, blind: blindPartBytes(part) };
        const { encrypted } = encryptAvailableState(secret, there, available, there.madeBy);
        expect(toHex(encrypted.slice(1, 33))).toBe(there.madeBy);
        expect(decryptBlindState(secret, there, encrypted.slice(33))).toEqual({ opening, ...part });
        const opened = decryptAvailableState(secret, there, encrypted);
        expect(opened).toEqual(available);
        expect(blindPartOf(opened.blind ?? new Uint8Array())).toEqual(part);
        const kept = keptOf({ available: opened }).blind ?? new Uint8Array();
        expect(blindPartOf(kept)).toEqual({ ...part, tags: [] });
        expect(() => decryptAvailableState(secret, there, withBitFlipped(encrypted, bit))).toThrow(DecryptionFailed);
      }),
      runs,
    );
  });

  it("keeps its epochs beside what was counted under a policy, whichever client writes the next state", () => {
    fc.assert(
      fc.property(
        state,
        place,
        bytes(32),
        fc.uint8Array({ minLength: 1, maxLength: 4096 }),
        (s, at, secret, counters) => {
          const there = refOf(s.opening, at);
          const available = { ...s.opening, blind: blindPartBytes(s), counters };
          const opened = decryptAvailableState(
            secret,
            there,
            encryptAvailableState(secret, there, available, there.madeBy).encrypted,
          );
          expect(opened).toEqual(available);
          const next = keptOf({ available: opened, counters: counters.slice(1) });
          expect(next.counters).toEqual(counters.slice(1));
          expect(blindPartOf(next.blind ?? new Uint8Array()).epochs).toEqual(s.epochs);
        },
      ),
      runs,
    );
  });

  it("has one length, whatever it has counted and however many payments made it", () => {
    fc.assert(
      fc.property(state, place, bytes(32), (s, at, secret) => {
        expect(encryptBlindState(secret, refOf(s.opening, at), s)).toHaveLength(ENCRYPTED_BLIND_STATE_LENGTH);
      }),
      runs,
    );
  });

  it("is never taken for a state that the service reads, nor the other way round", () => {
    fc.assert(
      fc.property(state, place, bytes(32), (s, at, secret) => {
        const there = refOf(s.opening, at);
        expect(() => decryptAvailableState(secret, there, encryptBlindState(secret, there, s))).toThrow(
          DecryptionFailed,
        );
        const { encrypted } = encryptAvailableState(secret, there, s.opening);
        expect(() => decryptBlindState(secret, there, encrypted)).toThrow(DecryptionFailed);
      }),
      runs,
    );
  });

  it("is not written with another opening, epochs that are days apart, or parts that do not fit", () => {
    const [s, at] = [
      fc.sample(state, 1)[0] as BlindState,
      { p: fc.sample(ref, 1)[0] as object, madeBy: new Uint8Array(32) },
    ];
    const there = refOf(s.opening, at);
    const write = (change: Partial<BlindState>) => () =>
      encryptBlindState(new Uint8Array(32), there, { ...s, ...change });
    expect(write({ opening: { ...s.opening, limit: s.opening.limit ^ 1n } })).toThrow(DecryptionFailed);
    const seed = new Uint8Array(32);
    const [current, previous] = [
      { day: 9n, seed },
      { day: 7n, seed },
    ];
    expect(write({ epochs: { current, previous } })).toThrow(RangeError);
    expect(write({ epochs: { current: { day: 9n, seed: seed.slice(1) } } })).toThrow(RangeError);
    expect(write({ tags: Array.from({ length: 17 }, () => new Uint8Array(16)) })).toThrow(RangeError);
    expect(write({ tags: [new Uint8Array(15)] })).toThrow(RangeError);
    expect(write({ policy: { version: 0n, hash: new Uint8Array(31) } })).toThrow(RangeError);
  });
});

it("a policy is taken only if it is later, or the same again", () => {
  const hash = (fill: number) => new Uint8Array(32).fill(fill);
  const taken = { version: 5n, hash: hash(1) };
  expect(mayTakePolicy(taken, { version: 5n, hash: hash(1) })).toBe(true);
  expect(mayTakePolicy(taken, { version: 6n, hash: hash(2) })).toBe(true);
  for (const shown of [
    { version: 5n, hash: hash(2) },
    { version: 5n, hash: new Uint8Array() },
    { version: 4n, hash: hash(1) },
    { version: 0n, hash: hash(0) },
  ]) {
    expect(mayTakePolicy(taken, shown)).toBe(false);
  }
});
