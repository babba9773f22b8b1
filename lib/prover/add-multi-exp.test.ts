import { bn254 } from "@noble/curves/bn254.js";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesToBigint } from "@/lib/ledger/crypto/bytes";
import { FIELD_ORDER } from "@/lib/ledger/crypto/field";
import { addMultiExp } from "./add-multi-exp";
import { GROUPS, loadBases, windowsFor } from "./bases";
import { Bn254, scalarBytes } from "./bn254";
import { G1_BYTES } from "./sizes";

let curve: Bn254;
beforeAll(async () => {
  curve = await Bn254.build();
});

const G = bn254.G1.Point.BASE;
const multiple = (k: bigint) => (k === 0n ? bn254.G1.Point.ZERO : G.multiply(k));

/** Affine coordinates in Montgomery form, as proving keys have them; zeros for the point at infinity. */
function encode(k: bigint): Uint8Array {
  if (k === 0n) return new Uint8Array(G1_BYTES);
  const { x, y } = multiple(k).toAffine();
  const big = Uint8Array.from([...scalarBytes(x).toReversed(), ...scalarBytes(y).toReversed()]);
  const mark = curve.mark();
  const out = curve.alloc(G1_BYTES);
  curve.call("g1m_UtoLEM", curve.put(big), out);
  const encoded = curve.read(out, G1_BYTES);
  curve.release(mark);
  return encoded;
}

/** The affine coordinates of Σ scalar·(k·G) as this library computes it. */
function sum(ks: readonly bigint[], scalars: readonly bigint[], tables: boolean): { x: bigint; y: bigint } {
  const mark = curve.mark();
  const windows = windowsFor(Math.max(2, ks.length), tables);
  const section = Uint8Array.from(ks.flatMap((k) => [...encode(k)]));
  const bases = loadBases(curve, "g1", section, 0, windows);
  const at = curve.put(Uint8Array.from(scalars.flatMap((scalar) => [...scalarBytes(scalar)])));
  const result = curve.alloc(GROUPS.g1.jacobian);
  curve.call("g1m_zero", result);
  addMultiExp(curve, "g1", windows, [{ bases, scalars: at }], result);
  const [affine, out] = [curve.alloc(G1_BYTES), curve.alloc(G1_BYTES)];
  curve.call("g1m_toAffine", result, affine);
  curve.call("g1m_LEMtoU", affine, out);
  const bytes = curve.read(out, G1_BYTES);
  curve.release(mark);
  return { x: bytesToBigint(bytes.subarray(0, 32)), y: bytesToBigint(bytes.subarray(32)) };
}

// Edges of the signed digits, bits as in range checks, and anything.
const scalar = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, FIELD_ORDER - 1n, FIELD_ORDER - 2n, 1n << 253n, (1n << 253n) - 1n),
  fc.bigInt(0n, 1n),
  fc.bigInt(0n, FIELD_ORDER - 1n),
);
// Few multiples, so that equal and opposite points meet in one bucket; 0 is the point at infinity.
const base = fc.constantFrom(0n, 1n, 2n, 3n, FIELD_ORDER - 1n, FIELD_ORDER - 2n);

describe("the multi-exponentiation", () => {
  it.each([false, true])("equals the sum by definition, also where formulas have exceptions (tables: %s)", (tables) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(base, scalar), { minLength: 1, maxLength: 12 }), (pairs) => {
        const total = pairs.reduce((sofar, [k, s]) => (sofar + k * s) % FIELD_ORDER, 0n);
        const expected = total === 0n ? { x: 0n, y: 0n } : multiple(total).toAffine();
        const computed = sum(
          pairs.map(([k]) => k),
          pairs.map(([, s]) => s),
          tables,
        );
        expect(computed).toEqual({ x: expected.x, y: expected.y });
      }),
      { numRuns: 60 },
    );
  });

  it("sums more points than one batch of inversions holds", () => {
    const ks = Array.from({ length: 400 }, (_, i) => BigInt(i + 1));
    const scalars = ks.map((k) => (k ** 40n + 77n) % FIELD_ORDER);
    const total = ks.reduce((sofar, k, i) => (sofar + k * (scalars[i] ?? 0n)) % FIELD_ORDER, 0n);
    const { x, y } = multiple(total).toAffine();
    for (const tables of [false, true]) expect(sum(ks, scalars, tables)).toEqual({ x, y });
  });
});
