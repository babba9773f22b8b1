import type { Hex } from "viem";
import { bigintToBytes, bytesToBigint, concat, fromHex } from "@/lib/ledger/crypto/bytes";
import { FIELD_ORDER, isWord } from "@/lib/ledger/crypto/field";
import { PROOF_LENGTH } from "@/lib/ledger/prepare/proof";
import { type Bn254, scalarBytes } from "./bn254";
import { FIELD_BYTES, G1_BYTES, G1_JACOBIAN_BYTES, G2_BYTES, G2_JACOBIAN_BYTES } from "./sizes";

/** A verification key as snarkjs writes it: decimal coordinates, projective with third coordinate 1. */
export interface VerificationKeyJson {
  nPublic: number;
  vk_alpha_1: string[];
  vk_beta_2: string[][];
  vk_gamma_2: string[][];
  vk_delta_2: string[][];
  IC: string[][];
}

/** A verification key prepared in the curve's memory; the numbers are pointers. */
export interface VerifyingKey {
  nPublic: number;
  /** Miller loop of (α, β). */
  alphaBeta: number;
  /** γ and δ, prepared for the Miller loop. */
  gamma: number;
  delta: number;
  /** Affine points: the constant's, then one per public signal. */
  ic: number[];
}

const BASE_FIELD_ORDER = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

function big(values: readonly (string | undefined)[]): Uint8Array {
  return concat(...values.map((value) => bigintToBytes(BigInt(value ?? "0"), FIELD_BYTES)));
}

/** Reads a big-endian uncompressed point into affine coordinates in Montgomery form. */
function putPoint(curve: Bn254, prefix: "g1m" | "g2m", bytes: Uint8Array): number {
  const from = curve.put(bytes);
  const point = curve.alloc(bytes.length);
  curve.call(`${prefix}_UtoLEM`, from, point);
  return point;
}

function prepareG1(curve: Bn254, jacobian: number): number {
  const prepared = curve.alloc(curve.preparedG1Bytes);
  curve.call("bn128_prepareG1", jacobian, prepared);
  return prepared;
}

function prepareG2(curve: Bn254, affine: number): number {
  const jacobian = curve.alloc(G2_JACOBIAN_BYTES);
  curve.call("g2m_toJacobian", affine, jacobian);
  const prepared = curve.alloc(curve.preparedG2Bytes);
  curve.call("bn128_prepareG2", jacobian, prepared);
  return prepared;
}

function toJacobian(curve: Bn254, affine: number): number {
  const jacobian = curve.alloc(G1_JACOBIAN_BYTES);
  curve.call("g1m_toJacobian", affine, jacobian);
  return jacobian;
}

function millerLoop(curve: Bn254, preparedG1: number, preparedG2: number): number {
  const value = curve.alloc(curve.gtBytes);
  curve.call("bn128_millerLoop", preparedG1, preparedG2, value);
  return value;
}

/** Loads a verification key. */
export function loadVerifyingKey(curve: Bn254, json: VerificationKeyJson): VerifyingKey {
  const g1 = (point: string[] | undefined) => putPoint(curve, "g1m", big([point?.[0], point?.[1]]));
  const g2 = ([x, y]: string[][]) => putPoint(curve, "g2m", big([x?.[1], x?.[0], y?.[1], y?.[0]]));
  const alpha = prepareG1(curve, toJacobian(curve, g1(json.vk_alpha_1)));
  return {
    nPublic: json.nPublic,
    alphaBeta: millerLoop(curve, alpha, prepareG2(curve, g2(json.vk_beta_2))),
    gamma: prepareG2(curve, g2(json.vk_gamma_2)),
    delta: prepareG2(curve, g2(json.vk_delta_2)),
    ic: json.IC.map(g1),
  };
}

/** IC[0] + Σ signal·IC[i], in Jacobian coordinates. */
function publicPoint(curve: Bn254, key: VerifyingKey, publicSignals: readonly bigint[]): number {
  const sum = toJacobian(curve, key.ic[0] ?? 0);
  const product = curve.alloc(G1_JACOBIAN_BYTES);
  publicSignals.forEach((signal, i) => {
    const scalar = curve.put(scalarBytes(signal));
    curve.call("g1m_timesScalarAffine", key.ic[i + 1] ?? 0, scalar, FIELD_BYTES, product);
    curve.call("g1m_add", sum, product, sum);
  });
  return sum;
}

/** Whether the affine G2 point lies in the subgroup of order r: the twist has other points, which prove anything. */
function inG2Subgroup(curve: Bn254, point: number): boolean {
  const product = curve.alloc(G2_JACOBIAN_BYTES);
  curve.call("g2m_timesScalarAffine", point, curve.put(scalarBytes(FIELD_ORDER)), FIELD_BYTES, product);
  return curve.call("g2m_isZero", product) !== 0;
}

/**
 * Whether a proof (256 bytes as the EVM takes them) holds for the public signals: the equation of eprint 2016/260,
 * section 3.2, e(A, B) = e(α, β)·e(ΣIC, γ)·e(C, δ). False for anything malformed: wrong lengths, coordinates or
 * signals not reduced, points off the curve, outside the subgroup or at infinity.
 */
export function verifyGroth16(curve: Bn254, key: VerifyingKey, proof: Hex, publicSignals: readonly bigint[]): boolean {
  if (!/^0x[0-9a-fA-F]*$/.test(proof) || proof.length !== 2 + 2 * PROOF_LENGTH) return false;
  if (publicSignals.length !== key.nPublic || !publicSignals.every(isWord)) return false;
  const bytes = fromHex(proof);
  for (let at = 0; at < PROOF_LENGTH; at += FIELD_BYTES) {
    if (bytesToBigint(bytes.subarray(at, at + FIELD_BYTES)) >= BASE_FIELD_ORDER) return false;
  }
  const mark = curve.mark();
  try {
    const a = putPoint(curve, "g1m", bytes.subarray(0, G1_BYTES));
    const b = putPoint(curve, "g2m", bytes.subarray(G1_BYTES, G1_BYTES + G2_BYTES));
    const c = putPoint(curve, "g1m", bytes.subarray(G1_BYTES + G2_BYTES));
    for (const [prefix, point] of [
      ["g1m", a],
      ["g2m", b],
      ["g1m", c],
    ] as const) {
      if (curve.call(`${prefix}_isZeroAffine`, point) || !curve.call(`${prefix}_inCurveAffine`, point)) return false;
    }
    if (!inG2Subgroup(curve, b)) return false;
    curve.call("g1m_negAffine", a, a);
    const product = millerLoop(curve, prepareG1(curve, toJacobian(curve, a)), prepareG2(curve, b));
    const vkx = prepareG1(curve, publicPoint(curve, key, publicSignals));
    curve.call("ftm_mul", product, key.alphaBeta, product);
    curve.call("ftm_mul", product, millerLoop(curve, vkx, key.gamma), product);
    const cPrepared = prepareG1(curve, toJacobian(curve, c));
    curve.call("ftm_mul", product, millerLoop(curve, cPrepared, key.delta), product);
    curve.call("bn128_finalExponentiation", product, product);
    const one = curve.alloc(curve.gtBytes);
    curve.call("ftm_one", one);
    return curve.call("ftm_eq", product, one) !== 0;
  } finally {
    curve.release(mark);
  }
}
