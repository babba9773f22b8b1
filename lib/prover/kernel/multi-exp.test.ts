import { bn254 } from "@noble/curves/bn254.js";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { bigintToBytes } from "@/lib/ledger/crypto/bytes";
import { loadBases } from "./bases";
import { combineBits } from "./combine";
import { digitsOf, SCALAR_WORDS, windowsFor } from "./digits";
import { type CurveGroup, GroupArithmetic } from "./group";
import { Kernel } from "./kernel";
import { multiExp } from "./multi-exp";
import { BASE_ORDER, SCALAR_ORDER } from "./orders";
import { affineAt, coordinatesOf } from "./points-for-tests";

let kernel: Kernel;
let arithmetic: Record<CurveGroup, GroupArithmetic>;
beforeAll(async () => {
  kernel = await Kernel.build();
  arithmetic = { "1": new GroupArithmetic(kernel, "1"), "2": new GroupArithmetic(kernel, "2") };
});

/** Encodes coordinates as in proving keys, little endian and times 2^256; zeros for the point at infinity. */
function encode(group: CurveGroup, multiple: bigint): Uint8Array {
  const coordinates = affineAt(group, multiple) ?? Array<bigint>(2 * Number(group)).fill(0n);
  return Uint8Array.from(
    coordinates.flatMap((value) => [...bigintToBytes((value << 256n) % BASE_ORDER, 32).toReversed()]),
  );
}

function wordsOf(scalars: readonly bigint[]): Uint32Array {
  const words = scalars.flatMap((scalar) =>
    Array.from({ length: SCALAR_WORDS }, (_, i) => Number((scalar >> BigInt(32 * i)) & 0xffffffffn)),
  );
  return Uint32Array.from(words);
}

type Pairs = readonly (readonly [multiple: bigint, scalar: bigint])[];

/**
 * Returns the affine coordinates of Σ scalar · (multiple · generator) for each list, computed together by the kernel.
 */
function sums(group: CurveGroup, lists: readonly Pairs[], tables: boolean): (bigint[] | null)[] {
  const mark = kernel.mark();
  const windows = windowsFor(Math.max(2, ...lists.map((list) => list.length)), tables);
  const terms = lists.map((list, sum) => {
    const points = list.map(([multiple], scalar) => ({ bytes: encode(group, multiple), scalar }));
    const digits = digitsOf(wordsOf(list.map(([, scalar]) => scalar)), windows);
    return { bases: loadBases(kernel, group, points, windows), digits, sum };
  });
  const byBit = multiExp(kernel, group, windows, lists.length, terms);
  const results = byBit.map((bits) => coordinatesOf(arithmetic[group], combineBits(arithmetic[group], [bits])));
  kernel.release(mark);
  return results;
}

const expectedOf = (group: CurveGroup, list: Pairs) =>
  affineAt(
    group,
    list.reduce((total, [multiple, scalar]) => (total + multiple * scalar) % SCALAR_ORDER, 0n),
  );

// Edge cases of the signed digits, bits as in range checks, and random scalars.
const scalar = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, SCALAR_ORDER, SCALAR_ORDER - 1n, SCALAR_ORDER - 2n, 1n << 253n, (1n << 253n) - 1n),
  fc.bigInt(0n, 1n),
  fc.bigInt(0n, SCALAR_ORDER - 1n),
);
// Few multiples, so that equal and opposite points meet in one bucket. 0 is the point at infinity.
const multiple = fc.constantFrom(0n, 1n, 2n, 3n, SCALAR_ORDER - 1n, SCALAR_ORDER - 2n);
const list = fc.array(fc.tuple(multiple, scalar), { minLength: 1, maxLength: 12 });

describe.each([
  ["1", false],
  ["1", true],
  ["2", false],
  ["2", true],
] as const)("the multi-exponentiation in G%s (tables: %s)", (group, tables) => {
  it("equals the sum by definition, also where formulas have exceptions, and of two lists at once", () => {
    fc.assert(
      fc.property(list, list, (first, second) => {
        expect(sums(group, [first, second], tables)).toEqual([expectedOf(group, first), expectedOf(group, second)]);
      }),
      { numRuns: 20 },
    );
  });

  it("sums more points than one batch of inversions holds", () => {
    const many = Array.from({ length: group === "1" ? 700 : 200 }, (_, i): [bigint, bigint] => {
      const k = BigInt(i + 1);
      return [k, (k ** 40n + 77n) % SCALAR_ORDER];
    });
    expect(sums(group, [many], tables)).toEqual([expectedOf(group, many)]);
  });
});

it("two sums of G1 side by side are put together as each alone", () => {
  const windows = windowsFor(4, false);
  const g1 = arithmetic["1"];
  const lists: Pairs[] = [
    [[3n, 5n]],
    [
      [7n, SCALAR_ORDER - 1n],
      [2n, 11n],
    ],
  ];
  const terms = lists.map((pairs, sum) => ({
    bases: loadBases(
      kernel,
      "1",
      pairs.map(([k], scalar) => ({ bytes: encode("1", k), scalar })),
      windows,
    ),
    digits: digitsOf(wordsOf(pairs.map(([, s]) => s)), windows),
    sum,
  }));
  const both = combineBits(g1, multiExp(kernel, "1", windows, 2, terms));
  g1.normalize(both);
  const [xs, ys] = [kernel.readElements(both), kernel.readElements(both + 72)];
  expect([
    [xs[0], ys[0]],
    [xs[1], ys[1]],
  ]).toEqual([affineAt("1", 15n), affineAt("1", 15n)]);
  expect(bn254.G1.Point.BASE.multiply(15n).toAffine().x).toBe(xs[0]);
});
