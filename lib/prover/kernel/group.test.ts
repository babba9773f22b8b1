import { bn254 } from "@noble/curves/bn254.js";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { AffineBatch } from "./affine-batch";
import { NEGATIVE } from "./affine-code";
import { type CurveGroup, GroupArithmetic, POINT_BYTES } from "./group";
import { Kernel } from "./kernel";
import { PAIR_BYTES } from "./limbs";
import { SCALAR_ORDER } from "./orders";
import { affineAt, coordinatesOf, putAffine, putProjective } from "./points-for-tests";

let kernel: Kernel;
let arithmetic: Record<CurveGroup, GroupArithmetic>;
beforeAll(async () => {
  kernel = await Kernel.build();
  arithmetic = { "1": new GroupArithmetic(kernel, "1"), "2": new GroupArithmetic(kernel, "2") };
});

// Few multiples, so that equal and opposite points occur. 0 is the point at infinity.
const multiple = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, 3n, SCALAR_ORDER - 1n, SCALAR_ORDER - 2n),
  fc.bigInt({ min: 0n, max: SCALAR_ORDER - 1n }),
);

describe.each(["1", "2"] as const)("G%s", (group) => {
  it("is added and doubled rightly, infinity, equal and opposite points included", () => {
    const one = arithmetic[group];
    fc.assert(
      fc.property(multiple, multiple, (a, b) => {
        const mark = kernel.mark();
        const [p, q, out] = [putProjective(one, a), putProjective(one, b), one.infinity()];
        one.add(p, q, out);
        expect(coordinatesOf(one, out)).toEqual(affineAt(group, (a + b) % SCALAR_ORDER));
        one.double(p, p);
        expect(coordinatesOf(one, p)).toEqual(affineAt(group, (2n * a) % SCALAR_ORDER));
        kernel.release(mark);
      }),
      { numRuns: 25 },
    );
  });

  it("is added in batches, with signs, where sums are at infinity and where points are equal", () => {
    const finite = multiple.filter((value) => value !== 0n);
    const job = fc.record({ left: finite, right: finite, minusLeft: fc.boolean(), minusRight: fc.boolean() });
    fc.assert(
      fc.property(fc.array(job, { minLength: 1, maxLength: 9 }), (jobs) => {
        const mark = kernel.mark();
        const put = (value: bigint) => putAffine(kernel, group, value);
        const placed = jobs.map((each) => ({ ...each, p: put(each.left), q: put(each.right) }));
        const outs = jobs.map(() => kernel.alloc(POINT_BYTES[group]));
        const infinite: number[] = [];
        const batch = new AffineBatch(kernel, group);
        placed.forEach(({ p, q, minusLeft, minusRight }, i) => {
          batch.add(p | (minusLeft ? NEGATIVE : 0), q | (minusRight ? NEGATIVE : 0), outs[i] as number, (out) =>
            infinite.push(out),
          );
        });
        batch.flush((out) => infinite.push(out));
        jobs.forEach(({ left, right, minusLeft, minusRight }, i) => {
          const sum = (minusLeft ? -left : left) + (minusRight ? -right : right);
          const expected = affineAt(group, ((sum % SCALAR_ORDER) + SCALAR_ORDER) % SCALAR_ORDER);
          const out = outs[i] as number;
          const found = infinite.includes(out) ? null : readAffine(out);
          expect(found).toEqual(expected);
        });
        kernel.release(mark);
      }),
      { numRuns: 25 },
    );

    function readAffine(point: number) {
      const read = (pointer: number) => kernel.readElements(pointer);
      return group === "1" ? read(point) : [...read(point), ...read(point + PAIR_BYTES)];
    }
  });

  it("is doubled in batches larger than one inversion serves", () => {
    const mark = kernel.mark();
    const [point, room] = [putAffine(kernel, group, 5n), kernel.alloc(5000 * POINT_BYTES[group])];
    const outs = Array.from({ length: 5000 }, (_, i) => room + i * POINT_BYTES[group]);
    new AffineBatch(kernel, group).double(outs.map((out) => [point, out]));
    for (const out of [outs[0], outs[4095], outs[4096], outs[4999]]) {
      const read = kernel.readElements(out as number);
      const expected = affineAt(group, 10n) as bigint[];
      expect(read).toEqual(expected.slice(0, 2));
    }
    kernel.release(mark);
  });
});

it("knows the curves by the same equations", () => {
  expect(bn254.G1.Point.Fn.ORDER).toBe(SCALAR_ORDER);
});
