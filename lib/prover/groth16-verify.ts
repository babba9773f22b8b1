import type { Hex } from "viem";
import { bytesToBigint, fromHex } from "@/lib/ledger/crypto/bytes";
import { FIELD_ORDER, isFieldElement } from "@/lib/ledger/crypto/field";
import { PROOF_LENGTH } from "@/lib/ledger/prepare/proof";
import { copyLane } from "./kernel/combine";
import { type Extension, isOnCurve, TWIST_B } from "./kernel/extension";
import { GroupArithmetic, type Projective } from "./kernel/group";
import { type Kernel, montgomery } from "./kernel/kernel";
import { PAIR_BYTES } from "./kernel/limbs";
import { BASE_ORDER } from "./kernel/orders";
import { type Evaluated, type Lines, Pairing } from "./kernel/pairing";
import { isInSubgroup, lookUpTable, sumOfMultiples } from "./kernel/small-multiples";
import type { Tower } from "./kernel/tower";
import { FIELD_BYTES } from "./sizes";

/** A verification key as snarkjs writes it: decimal coordinates, projective with third coordinate 1. */
export interface VerificationKeyJson {
  nPublic: number;
  vk_alpha_1: string[];
  vk_beta_2: string[][];
  vk_gamma_2: string[][];
  vk_delta_2: string[][];
  IC: string[][];
}

/** A verification key prepared in the kernel's memory. */
export interface VerifyingKey {
  nPublic: number;
  pairing: Pairing;
  g1: GroupArithmetic;
  g2: GroupArithmetic;
  /** Result of the Miller loop of (α, β). */
  alphaBeta: Tower;
  gamma: Lines;
  delta: Lines;
  /** For each pair of public signals, the multiples of their two points side by side (see small-multiples.ts). */
  tables: Projective[][];
  constant: Projective;
}

type AffineG1 = readonly [x: bigint, y: bigint];

const CURVE_B: Extension = [3n, 0n];
const NO_POINT = "a point of the verification key is none of its group";

/** Reports whether coordinates are reduced and satisfy a curve's equation. */
const isPoint = (x: Extension, y: Extension, b: Extension): boolean =>
  [...x, ...y].every((value) => value >= 0n && value < BASE_ORDER) && isOnCurve(x, y, b);

const number = (text: string | undefined): bigint => BigInt(text ?? "0");

/**
 * Loads a verification key.
 *
 * @throws Error if one of its points is off the curve, outside the subgroup or at infinity
 */
export function loadVerifyingKey(kernel: Kernel, json: VerificationKeyJson): VerifyingKey {
  const [g1, g2] = [new GroupArithmetic(kernel, "1"), new GroupArithmetic(kernel, "2")];
  const pairing = new Pairing(kernel);
  const ofG1 = (point: string[] | undefined): AffineG1 => {
    const [x, y] = [number(point?.[0]), number(point?.[1])];
    if (!isPoint([x, 0n], [y, 0n], CURVE_B)) throw new Error(NO_POINT);
    return [x, y];
  };
  const lines = ([xs, ys]: string[][]) => {
    const [x, y] = [xs, ys].map((each): Extension => [number(each?.[0]), number(each?.[1])]) as [Extension, Extension];
    const point = putG2(kernel, x, y);
    if (!isPoint(x, y, TWIST_B) || !isInSubgroup(g2, point, FIELD_ORDER)) throw new Error(NO_POINT);
    return pairing.lines(point);
  };
  const alphaBeta = pairing.tower.alloc();
  pairing.millerLoop([[putEvaluated(kernel, ofG1(json.vk_alpha_1)), lines(json.vk_beta_2)]], alphaBeta);
  if (json.IC.length !== json.nPublic + 1) throw new Error("the verification key has points for other signals");
  const signals = json.IC.slice(1).map(ofG1);
  const tables: Projective[][] = [];
  for (let i = 0; i < signals.length; i += 2) {
    tables.push(lookUpTable(g1, putTwo(g1, signals[i] as AffineG1, signals[i + 1])));
  }
  const constant = putTwo(g1, ofG1(json.IC[0]), undefined);
  return {
    nPublic: json.nPublic,
    ...{ pairing, g1, g2, alphaBeta, tables, constant },
    gamma: lines(json.vk_gamma_2),
    delta: lines(json.vk_delta_2),
  };
}

/** Allocates an affine point of G2. */
function putG2(kernel: Kernel, x: Extension, y: Extension): number {
  const point = kernel.pair(montgomery(x[0]), montgomery(x[1]));
  kernel.pair(montgomery(y[0]), montgomery(y[1]));
  return point;
}

function putEvaluated(kernel: Kernel, [x, y]: AffineG1): Evaluated {
  const [mx, my] = [montgomery(x), montgomery(y)];
  return { x: kernel.pair(mx, mx), y: kernel.pair(my, my) };
}

/** Allocates two points of G1 side by side, or one and the point at infinity. */
function putTwo(g1: GroupArithmetic, first: AffineG1, second: AffineG1 | undefined): Projective {
  const point = g1.infinity();
  [first, second].forEach((one, lane) => {
    if (!one) return;
    [one[0], one[1], 1n].forEach((coordinate, i) => {
      const value = g1.kernel.pair(montgomery(coordinate), 0n);
      copyLane(g1.kernel, value, 0, point + i * PAIR_BYTES, lane);
    });
  });
  return point;
}

/** Returns IC[0] + Σ signal·IC[i]; null for the point at infinity. */
function publicPoint(key: VerifyingKey, publicSignals: readonly bigint[]): AffineG1 | null {
  const { g1, tables, constant } = key;
  const sum = sumOfMultiples(g1, tables, publicSignals);
  g1.add(sum, constant, sum);
  g1.normalize(sum);
  const [x, y] = [g1.kernel.readElements(sum)[0], g1.kernel.readElements(sum + PAIR_BYTES)[0]];
  return x === 0n && y === 0n ? null : [x, y];
}

/**
 * Reports whether a proof (256 bytes in the EVM's encoding) is valid for the public signals. Checks the equation of
 * eprint 2016/260, section 3.2: e(A, B) = e(α, β)·e(ΣIC, γ)·e(C, δ). Returns false for malformed input: wrong lengths,
 * coordinates or signals that are not reduced, points off the curve, outside the subgroup or at infinity.
 */
export function verifyGroth16(
  kernel: Kernel,
  key: VerifyingKey,
  proof: Hex,
  publicSignals: readonly bigint[],
): boolean {
  if (!/^0x[0-9a-fA-F]*$/.test(proof) || proof.length !== 2 + 2 * PROOF_LENGTH) return false;
  if (publicSignals.length !== key.nPublic || !publicSignals.every(isFieldElement)) return false;
  const bytes = fromHex(proof);
  const coordinates = Array.from({ length: PROOF_LENGTH / FIELD_BYTES }, (_, i) =>
    bytesToBigint(bytes.subarray(i * FIELD_BYTES, (i + 1) * FIELD_BYTES)),
  );
  const [ax, ay, bx1, bx0, by1, by0, cx, cy] = coordinates as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  if (!isPoint([ax, 0n], [ay, 0n], CURVE_B) || !isPoint([cx, 0n], [cy, 0n], CURVE_B)) return false;
  if (!isPoint([bx0, bx1], [by0, by1], TWIST_B)) return false;
  const mark = kernel.mark();
  try {
    const b = putG2(kernel, [bx0, bx1], [by0, by1]);
    // The twist has points outside the subgroup, with which anything could be proved.
    if (!isInSubgroup(key.g2, b, FIELD_ORDER)) return false;
    const sum = publicPoint(key, publicSignals);
    const { pairing } = key;
    const product = pairing.tower.alloc();
    pairing.millerLoop(
      [
        [putEvaluated(kernel, [ax, (BASE_ORDER - ay) % BASE_ORDER]), pairing.lines(b)],
        [putEvaluated(kernel, [cx, cy]), key.delta],
        ...(sum ? [[putEvaluated(kernel, sum), key.gamma] as const] : []),
      ],
      product,
    );
    pairing.tower.multiply(product, key.alphaBeta, product);
    return pairing.isOne(product);
  } finally {
    kernel.release(mark);
  }
}
