import { bn254 } from "@noble/curves/bn254.js";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { honestInputs } from "@/circuits/test/honest-inputs";
import { readProgram } from "@/circuits/witness/read-program";
import { runProgram } from "@/circuits/witness/run-program";
import { bigintToBytes, concat, fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { FIELD_ORDER } from "@/lib/ledger/crypto/field";
import { artifactFiles, repositoryRoot } from "./artifact-files";
import { loadProvingKey, proveGroth16, publicSignalsOf } from "./groth16-prove";
import { loadVerifyingKey, type VerificationKeyJson, type VerifyingKey, verifyGroth16 } from "./groth16-verify";
import { isOnCurve, TWIST_B } from "./kernel/extension";
import { Kernel } from "./kernel/kernel";
import { BASE_ORDER } from "./kernel/orders";
import { affineAt } from "./kernel/points-for-tests";
import { witnessBytes } from "./witness-bytes";

const artifacts = artifactFiles(repositoryRoot());
let kernel: Kernel;
let key: VerifyingKey;
let proof: Uint8Array;
let signals: bigint[];

beforeAll(async () => {
  kernel = await Kernel.build();
  const text = new TextDecoder().decode(await artifacts.read("release.vkey.json"));
  key = loadVerifyingKey(kernel, JSON.parse(text));
  const proving = loadProvingKey(kernel, await artifacts.read("release.zkey"), false);
  const program = readProgram(await artifacts.read("release.witness"));
  const [input] = fc.sample(honestInputs.release, 1) as [Parameters<typeof runProgram>[1]];
  const witness = witnessBytes(runProgram(program, input));
  proof = fromHex(proveGroth16(kernel, proving, witness));
  signals = publicSignalsOf(proving, witness);
});

const verifies = (bytes: Uint8Array) => verifyGroth16(kernel, key, toHex(bytes), signals);
const words = (...values: bigint[]) => concat(...values.map((value) => bigintToBytes(value, 32)));
/** Replaces B in the proof. */
const withB = (b: Uint8Array) => concat(proof.subarray(0, 64), b, proof.subarray(192));

/**
 * Returns a point of the twist outside the subgroup. The twist's order is r · c, and the point's cofactor is not
 * cleared.
 */
function outsideOfTheSubgroup(): { x: { c0: bigint; c1: bigint }; y: { c0: bigint; c1: bigint } } {
  const { Fp2 } = bn254.fields;
  for (let i = 1n; ; i++) {
    const x = Fp2.fromBigTuple([i, 1n]);
    const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), Fp2.fromBigTuple([TWIST_B[0], TWIST_B[1]]));
    try {
      return { x, y: Fp2.sqrt(square) };
    } catch {
      // Not a square, so no point has this x.
    }
  }
}

test("an honest proof is accepted, and any other B of the group is refused", () => {
  expect(verifies(proof)).toBe(true);
  const { x, y } = bn254.G2.Point.BASE.multiply(77n).toAffine();
  expect(verifies(withB(words(x.c1, x.c0, y.c1, y.c0)))).toBe(false);
});

test("a B on the twist's curve but outside of the group is refused", () => {
  const { x, y } = outsideOfTheSubgroup();
  expect(isOnCurve([x.c0, x.c1], [y.c0, y.c1], TWIST_B)).toBe(true);
  expect(verifies(withB(words(x.c1, x.c0, y.c1, y.c0)))).toBe(false);
});

test("the proof's own B, moved by a point of the twist's other subgroup, is refused", () => {
  const outside = outsideOfTheSubgroup();
  const Point = bn254.G2.Point;
  const other = Point.fromAffine(outside);
  // Multiplied by r, what is left has an order that divides the cofactor.
  const small = other.multiplyUnsafe(FIELD_ORDER - 1n).add(other);
  expect(small.is0()).toBe(false);
  const [x1, x0, y1, y0] = [64, 96, 128, 160].map((at) => BigInt(toHex(proof.subarray(at, at + 32))));
  const { Fp2 } = bn254.fields;
  const b = Point.fromAffine({ x: Fp2.fromBigTuple([x0, x1] as never), y: Fp2.fromBigTuple([y0, y1] as never) });
  const { x, y } = b.add(small).toAffine();
  expect(isOnCurve([x.c0, x.c1], [y.c0, y.c1], TWIST_B)).toBe(true);
  expect(verifies(withB(words(x.c1, x.c0, y.c1, y.c0)))).toBe(false);
});

test("a coordinate that is not reduced is refused in each place, and so is such a signal", () => {
  let unreduced = 0;
  for (let at = 0; at < 256; at += 32) {
    for (let value = BigInt(toHex(proof.subarray(at, at + 32))) + BASE_ORDER; value < 1n << 256n; value += BASE_ORDER) {
      const changed = proof.slice();
      changed.set(bigintToBytes(value, 32), at);
      expect(verifies(changed)).toBe(false);
      unreduced++;
    }
  }
  expect(unreduced).toBeGreaterThan(16);
  signals.forEach((signal, i) => {
    for (const other of [signal + FIELD_ORDER, signal - FIELD_ORDER, -signal - 1n, 1n << 256n]) {
      expect(verifyGroth16(kernel, key, toHex(proof), signals.with(i, other))).toBe(false);
    }
  });
});

const ofG1 = (multiple: bigint) => [...(affineAt("1", multiple) as bigint[]), 1n].map(String);
function ofG2(multiple: bigint): string[][] {
  const [x0, x1, y0, y1] = (affineAt("2", multiple) as bigint[]).map(String) as [string, string, string, string];
  return [
    [x0, x1],
    [y0, y1],
    ["1", "0"],
  ];
}
const modulo = (value: bigint) => ((value % FIELD_ORDER) + FIELD_ORDER) % FIELD_ORDER;
function inverted(value: bigint): bigint {
  let [result, square] = [1n, value];
  for (let rest = FIELD_ORDER - 2n; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = modulo(result * square);
    square = modulo(square * square);
  }
  return result;
}

// A few fixed scalars, so that sums meet equal and opposite points and infinity; and random ones.
const secret = fc.oneof(
  fc.constantFrom(1n, 2n, 3n, FIELD_ORDER - 1n, FIELD_ORDER - 2n),
  fc.bigInt(1n, FIELD_ORDER - 1n),
);
const signal = fc.oneof(fc.constantFrom(0n, 1n, 2n, FIELD_ORDER - 1n), fc.bigInt(0n, FIELD_ORDER - 1n));
type Secrets = typeof ofKey extends fc.Arbitrary<infer T> ? T : never;
const ofKey = fc.record({
  alpha: secret,
  beta: secret,
  gamma: secret,
  delta: secret,
  b: secret,
  c: secret,
  constant: secret,
  bound: fc.array(fc.tuple(secret, signal), { minLength: 1, maxLength: 5 }),
});

test("under a key whose secrets are known, a proof holds exactly where arithmetic on numbers says so", () => {
  const holds = (one: Secrets, off: bigint) => {
    const { alpha, beta, gamma, delta, b, c, constant, bound } = one;
    const sum = bound.reduce((total, [point, value]) => total + point * value, constant);
    const a = modulo(modulo(alpha * beta + gamma * sum + delta * c) * inverted(b) + off);
    if (a === 0n) return off === 0n ? "infinite" : false;
    const json: VerificationKeyJson = {
      nPublic: bound.length,
      vk_alpha_1: ofG1(alpha),
      vk_beta_2: ofG2(beta),
      vk_gamma_2: ofG2(gamma),
      vk_delta_2: ofG2(delta),
      IC: [constant, ...bound.map(([point]) => point)].map(ofG1),
    };
    const [x0, x1, y0, y1] = affineAt("2", b) as [bigint, bigint, bigint, bigint];
    const bytes = words(...(affineAt("1", a) as bigint[]), x1, x0, y1, y0, ...(affineAt("1", c) as bigint[]));
    const mark = kernel.mark();
    const verified = verifyGroth16(
      kernel,
      loadVerifyingKey(kernel, json),
      toHex(bytes),
      bound.map(([, value]) => value),
    );
    kernel.release(mark);
    return verified;
  };
  fc.assert(
    fc.property(ofKey, secret, (one, off) => {
      expect(holds(one, 0n)).not.toBe(false);
      expect(holds(one, off)).toBe(false);
    }),
    { numRuns: 12 },
  );
  // Signals for which the sum of the key's points is infinity.
  const opposite = { alpha: 5n, beta: 7n, gamma: 3n, delta: 2n, b: 11n, c: 13n, constant: 9n };
  const bound: [bigint, bigint][] = [
    [9n, FIELD_ORDER - 3n],
    [18n, 1n],
  ];
  expect([holds({ ...opposite, bound }, 0n), holds({ ...opposite, bound }, 1n)]).toEqual([true, false]);
});

test("a verification key with something that is no point of its group is refused", async () => {
  const read = async () => JSON.parse(new TextDecoder().decode(await artifacts.read("release.vkey.json")));
  const outside = outsideOfTheSubgroup();
  const g2 = [
    [String(outside.x.c0), String(outside.x.c1)],
    [String(outside.y.c0), String(outside.y.c1)],
    ["1", "0"],
  ];
  const infinite = ["0", "1", "0"];
  const mark = kernel.mark();
  for (const change of [
    (json: VerificationKeyJson) => ({ ...json, vk_alpha_1: infinite }),
    (json: VerificationKeyJson) => ({ ...json, vk_gamma_2: g2 }),
    (json: VerificationKeyJson) => ({ ...json, vk_delta_2: [infinite, infinite, infinite] }),
    (json: VerificationKeyJson) => ({ ...json, IC: json.IC.with(1, infinite) }),
    (json: VerificationKeyJson) => ({ ...json, IC: json.IC.with(1, ["1", "3", "1"]) }),
    (json: VerificationKeyJson) => ({ ...json, IC: json.IC.slice(1) }),
  ]) {
    const json = change(await read());
    expect(() => loadVerifyingKey(kernel, json)).toThrow("verification key");
  }
  kernel.release(mark);
});

test("points at infinity, or off the curve, are refused in each place", () => {
  for (const [from, to] of [
    [0, 64],
    [64, 192],
    [192, 256],
  ] as const) {
    const infinite = proof.slice();
    infinite.fill(0, from, to);
    expect(verifies(infinite)).toBe(false);
    const off = proof.slice();
    off.set(bigintToBytes(5n, 32), to - 32);
    expect(verifies(off)).toBe(false);
  }
});

test("the same proof with A and B negated holds too: that is Groth16's malleability, and all of it we rely on", () => {
  const p = bn254.fields.Fp.ORDER;
  const negated = proof.slice();
  for (const at of [32, 128, 160]) {
    const value = BigInt(toHex(proof.subarray(at, at + 32)));
    negated.set(bigintToBytes((p - value) % p, 32), at);
  }
  expect(verifies(negated)).toBe(true);
});
