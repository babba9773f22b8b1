import type { Hex } from "viem";
import { concat, toHex } from "@/lib/ledger/crypto/bytes";
import { FIELD_ORDER } from "@/lib/ledger/crypto/field";
import { addMultiExp } from "./add-multi-exp";
import { type Bases, GROUPS, type Group, loadBases, type Windows, windowsFor } from "./bases";
import { type Bn254, bytesScalar, scalarBytes } from "./bn254";
import { parseZkey } from "./parse-zkey";
import { FIELD_BYTES, G1_BYTES, G1_JACOBIAN_BYTES } from "./sizes";

/** A proving key laid into the curve's memory; the numbers are pointers. */
export interface ProvingKey {
  nVars: number;
  nPublic: number;
  domainSize: number;
  alpha1: number;
  beta1: number;
  beta2: number;
  delta1: number;
  delta2: number;
  coefficients: number;
  nCoefficients: number;
  /** 1 and a root of unity of twice the domain's order: they shift a polynomial to the odd coset. */
  one: number;
  shift: number;
  windows: Windows;
  basesA: Bases;
  basesB1: Bases;
  basesB2: Bases;
  basesC: Bases;
  basesH: Bases;
}

const COEFFICIENT_BYTES = 12 + FIELD_BYTES;

/** Loads a .zkey file. `tables` trades a second at start and some memory for faster proofs (see `Windows`). */
export function loadProvingKey(curve: Bn254, file: Uint8Array, tables: boolean): ProvingKey {
  const zkey = parseZkey(file);
  const windows = windowsFor(zkey.domainSize, tables);
  const one = curve.alloc(FIELD_BYTES);
  curve.call("frm_one", one);
  return {
    nVars: zkey.nVars,
    nPublic: zkey.nPublic,
    domainSize: zkey.domainSize,
    alpha1: curve.put(zkey.alpha1),
    beta1: curve.put(zkey.beta1),
    beta2: curve.put(zkey.beta2),
    delta1: curve.put(zkey.delta1),
    delta2: curve.put(zkey.delta2),
    coefficients: curve.put(zkey.coefficients),
    nCoefficients: zkey.coefficients.length / COEFFICIENT_BYTES,
    one,
    shift: curve.put(curve.rootOfUnity(Math.log2(zkey.domainSize) + 1)),
    windows,
    basesA: loadBases(curve, "g1", zkey.pointsA, 0, windows),
    basesB1: loadBases(curve, "g1", zkey.pointsB1, 0, windows),
    basesB2: loadBases(curve, "g2", zkey.pointsB2, 0, windows),
    basesC: loadBases(curve, "g1", zkey.pointsC, zkey.nPublic + 1, windows),
    basesH: loadBases(curve, "g1", zkey.pointsH, 0, windows),
  };
}

/** A uniform scalar: 48 random bytes modulo r. */
function randomScalar(): bigint {
  return bytesScalar(globalThis.crypto.getRandomValues(new Uint8Array(48))) % FIELD_ORDER;
}

/** The scalars of H: A·B − C on the odd coset of the domain, where the vanishing polynomial is constant. */
function quotientScalars(curve: Bn254, key: ProvingKey, witness: number): number {
  const { domainSize, nVars } = key;
  const bytes = domainSize * FIELD_BYTES;
  const [a, b, c] = [curve.alloc(bytes), curve.alloc(bytes), curve.alloc(bytes)];
  curve.call("qap_buildABC", key.coefficients, key.nCoefficients, witness, a, b, c, 0, domainSize, 0, nVars);
  for (const values of [a, b, c]) {
    curve.call("frm_ifft", values, domainSize);
    curve.call("frm_batchApplyKey", values, domainSize, key.one, key.shift, values);
    curve.call("frm_fft", values, domainSize);
  }
  curve.call("qap_joinABC", a, b, c, domainSize, a);
  curve.call("frm_batchFromMontgomery", a, domainSize, a);
  return a;
}

/** Adds scalar times the affine point to the Jacobian point at `result`. */
function addTimes(curve: Bn254, group: Group, point: number, scalar: bigint, result: number): void {
  const { prefix, jacobian } = GROUPS[group];
  const product = curve.alloc(jacobian);
  curve.call(`${prefix}_timesScalarAffine`, point, curve.put(scalarBytes(scalar)), FIELD_BYTES, product);
  curve.call(`${prefix}_add`, result, product, result);
}

/** A Jacobian point at zero plus an affine point. */
function startFrom(curve: Bn254, group: Group, affine: number): number {
  const { prefix, jacobian } = GROUPS[group];
  const point = curve.alloc(jacobian);
  curve.call(`${prefix}_toJacobian`, affine, point);
  return point;
}

/** The point at `jacobian` in affine coordinates, big endian, the second limb of an extension field first. */
function encodePoint(curve: Bn254, group: Group, jacobian: number): Uint8Array {
  const { prefix, affine } = GROUPS[group];
  const point = curve.alloc(affine);
  const out = curve.alloc(affine);
  curve.call(`${prefix}_toAffine`, jacobian, point);
  curve.call(`${prefix}_LEMtoU`, point, out);
  return curve.read(out, affine);
}

/** The public signals of a witness. */
export function publicSignalsOf(key: ProvingKey, witness: Uint8Array): bigint[] {
  return Array.from({ length: key.nPublic }, (_, i) =>
    bytesScalar(witness.subarray((i + 1) * FIELD_BYTES, (i + 2) * FIELD_BYTES)),
  );
}

/**
 * A Groth16 proof (eprint 2016/260, section 3.2) for a full witness, blinded by fresh r and s:
 * A = α + ΣwA + rδ, B = β + ΣwB + sδ, C = ΣwC + Σh + sA + rB − rsδ.
 *
 * @returns 256 bytes as the EVM takes them
 */
export function proveGroth16(curve: Bn254, key: ProvingKey, witnessBytes: Uint8Array): Hex {
  if (witnessBytes.length !== key.nVars * FIELD_BYTES) throw new RangeError("the witness is of another circuit");
  const mark = curve.mark();
  try {
    const witness = curve.put(witnessBytes);
    const h = quotientScalars(curve, key, witness);
    const r = randomScalar();
    const s = randomScalar();

    const a = startFrom(curve, "g1", key.alpha1);
    addMultiExp(curve, "g1", key.windows, [{ bases: key.basesA, scalars: witness }], a);
    addTimes(curve, "g1", key.delta1, r, a);

    const b = startFrom(curve, "g2", key.beta2);
    addMultiExp(curve, "g2", key.windows, [{ bases: key.basesB2, scalars: witness }], b);
    addTimes(curve, "g2", key.delta2, s, b);

    const b1 = startFrom(curve, "g1", key.beta1);
    addMultiExp(curve, "g1", key.windows, [{ bases: key.basesB1, scalars: witness }], b1);
    addTimes(curve, "g1", key.delta1, s, b1);

    const c = curve.alloc(G1_JACOBIAN_BYTES);
    curve.call("g1m_zero", c);
    const terms = [
      { bases: key.basesC, scalars: witness },
      { bases: key.basesH, scalars: h },
    ];
    addMultiExp(curve, "g1", key.windows, terms, c);
    const affine = curve.alloc(G1_BYTES);
    for (const [point, scalar] of [
      [a, s],
      [b1, r],
    ] as const) {
      curve.call("g1m_toAffine", point, affine);
      addTimes(curve, "g1", affine, scalar, c);
    }
    addTimes(curve, "g1", key.delta1, FIELD_ORDER - ((r * s) % FIELD_ORDER), c);
    return toHex(concat(encodePoint(curve, "g1", a), encodePoint(curve, "g2", b), encodePoint(curve, "g1", c)));
  } finally {
    curve.bytes().fill(0, mark, curve.mark());
    curve.release(mark);
  }
}
