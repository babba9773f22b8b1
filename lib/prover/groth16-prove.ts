import type { Hex } from "viem";
import { bigintToBytes, concat, toHex } from "@/lib/ledger/crypto/bytes";
import { FIELD_ORDER } from "@/lib/ledger/crypto/field";
import { type Bases, loadBases, sectionPoints } from "./kernel/bases";
import { combineBits, copyLane } from "./kernel/combine";
import { digitsOf, SCALAR_WORDS, type Windows, windowsFor } from "./kernel/digits";
import { GroupArithmetic, type Projective } from "./kernel/group";
import type { Kernel } from "./kernel/kernel";
import { PAIR_BYTES } from "./kernel/limbs";
import { multiExp } from "./kernel/multi-exp";
import { type Constraints, loadConstraints, quotientScalars } from "./kernel/quotient";
import { parseZkey } from "./parse-zkey";
import { FIELD_BYTES } from "./sizes";

/** A proving key, loaded into the kernel's memory. */
export interface ProvingKey {
  nVars: number;
  nPublic: number;
  windows: Windows;
  constraints: Constraints;
  basesA: Bases;
  basesB1: Bases;
  basesB2: Bases;
  basesC: Bases;
  basesH: Bases;
}

/** The random scalars that blind a proof; fresh for each proof. */
export interface Blinding {
  r: bigint;
  s: bigint;
}

/** Loads a .zkey file. `tables` makes proofs faster but takes longer to load and more memory (see `Windows`). */
export function loadProvingKey(kernel: Kernel, file: Uint8Array, tables: boolean): ProvingKey {
  const zkey = parseZkey(file);
  const { nVars, nPublic } = zkey;
  const windows = windowsFor(zkey.domainSize, tables);
  // The scalars are the witness, whose first value is 1, followed by r, s and −rs. So the constant points can be
  // treated like the other bases.
  const [one, r, s, minusRs] = [0, nVars, nVars + 1, nVars + 2];
  const load = (group: "1" | "2", section: Uint8Array, first: number, ...more: [Uint8Array, number][]) => {
    const constants = more.map(([bytes, scalar]) => ({ bytes, scalar }));
    return loadBases(kernel, group, [...sectionPoints(section, group, first), ...constants], windows);
  };
  return {
    nVars,
    nPublic,
    windows,
    constraints: loadConstraints(kernel, zkey.domainSize, zkey.coefficients),
    basesA: load("1", zkey.pointsA, 0, [zkey.alpha1, one], [zkey.delta1, r]),
    basesB1: load("1", zkey.pointsB1, 0, [zkey.beta1, one], [zkey.delta1, s]),
    basesB2: load("2", zkey.pointsB2, 0, [zkey.beta2, one], [zkey.delta2, s]),
    basesC: load("1", zkey.pointsC, nPublic + 1, [zkey.delta1, minusRs]),
    basesH: load("1", zkey.pointsH, 0),
  };
}

/** Returns a uniform scalar: 48 random bytes modulo r. */
function randomScalar(): bigint {
  let value = 0n;
  for (const byte of globalThis.crypto.getRandomValues(new Uint8Array(48))) value = (value << 8n) | BigInt(byte);
  return value % FIELD_ORDER;
}

/** Returns the public signals of a witness. */
export function publicSignalsOf(key: ProvingKey, witness: Uint8Array): bigint[] {
  return Array.from({ length: key.nPublic }, (_, i) =>
    littleEndian(witness.subarray((i + 1) * FIELD_BYTES, (i + 2) * FIELD_BYTES)),
  );
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/**
 * Creates a Groth16 proof (eprint 2016/260, section 3.2) for a full witness, blinded by r and s: A = α + ΣwA + rδ, B =
 * β + ΣwB + sδ, C = ΣwC + Σh + sA + rB − rsδ.
 *
 * @returns 256 bytes in the EVM's encoding
 */
export function proveGroth16(
  kernel: Kernel,
  key: ProvingKey,
  witness: Uint8Array,
  { r, s }: Blinding = { r: randomScalar(), s: randomScalar() },
): Hex {
  if (witness.length !== key.nVars * FIELD_BYTES) throw new RangeError("the witness is of another circuit");
  const mark = kernel.mark();
  const secrets: (Uint32Array | Int16Array)[] = [];
  const forgotten = <T extends Uint32Array | Int16Array>(values: T): T => {
    secrets.push(values);
    return values;
  };
  try {
    const minusRs = FIELD_ORDER - ((r * s) % FIELD_ORDER);
    const scalars = forgotten(wordsOf(witness, [r, s, minusRs]));
    const digits = forgotten(digitsOf(scalars, key.windows));
    const signals = scalars.subarray(0, key.nVars * SCALAR_WORDS);
    const h = forgotten(quotientScalars(kernel, key.constraints, signals));
    const hDigits = forgotten(digitsOf(h, key.windows));
    const g1 = new GroupArithmetic(kernel, "1");
    const g2 = new GroupArithmetic(kernel, "2");
    const [a, b1, c] = multiExp(kernel, "1", key.windows, 3, [
      { bases: key.basesA, digits, sum: 0 },
      { bases: key.basesB1, digits, sum: 1 },
      { bases: key.basesC, digits, sum: 2 },
      { bases: key.basesH, digits: hDigits, sum: 2 },
    ]) as [Int32Array, Int32Array, Int32Array];
    const [b2] = multiExp(kernel, "2", key.windows, 1, [{ bases: key.basesB2, digits, sum: 0 }]) as [Int32Array];
    const ab1 = combineBits(g1, [a, b1]);
    const b = combineBits(g2, [b2]);
    const sum = combineBits(g1, [c]);
    addCrossTerms(g1, ab1, s, r, sum);
    // Puts A and C side by side, into the two lanes.
    for (let i = 0; i < 3; i++) copyLane(kernel, sum + i * PAIR_BYTES, 0, ab1 + i * PAIR_BYTES, 1);
    g1.normalize(ab1);
    g2.normalize(b);
    const [xs, ys] = [kernel.readElements(ab1), kernel.readElements(ab1 + PAIR_BYTES)];
    const [bx, by] = [kernel.readElements(b), kernel.readElements(b + PAIR_BYTES)];
    const coordinates = [xs[0], ys[0], bx[1], bx[0], by[1], by[0], xs[1], ys[1]];
    return toHex(concat(...coordinates.map((value) => bigintToBytes(value, FIELD_BYTES))));
  } finally {
    for (const secret of secrets) secret.fill(0);
    kernel.release(mark);
    kernel.clearScratch();
  }
}

/** Returns the words of the witness, followed by those of further scalars. */
function wordsOf(witness: Uint8Array, more: readonly bigint[]): Uint32Array {
  const words = new Uint32Array(witness.length / 4 + more.length * SCALAR_WORDS);
  new Uint8Array(words.buffer).set(witness);
  more.forEach((value, i) => {
    for (let word = 0; word < SCALAR_WORDS; word++) {
      words[witness.length / 4 + i * SCALAR_WORDS + word] = Number((value >> BigInt(32 * word)) & 0xffffffffn);
    }
  });
  return words;
}

const WINDOW = 4n;

/** Adds s times the first and r times the second of two points that lie side by side to the first lane of `sum`. */
function addCrossTerms(g1: GroupArithmetic, points: Projective, s: bigint, r: bigint, sum: Projective): void {
  const { kernel } = g1;
  const table = [g1.infinity()];
  for (let i = 1; i < 1 << Number(WINDOW); i++) {
    const next = g1.infinity();
    g1.add(table[i - 1] as number, points, next);
    table.push(next);
  }
  const [product, term] = [g1.infinity(), g1.infinity()];
  for (let position = 256n - WINDOW; position >= 0n; position -= WINDOW) {
    if (position < 256n - WINDOW) for (let bit = 0n; bit < WINDOW; bit++) g1.double(product, product);
    [s, r].forEach((scalar, lane) => {
      const entry = table[Number((scalar >> position) & 15n)] as number;
      for (let i = 0; i < 3; i++) copyLane(kernel, entry + i * PAIR_BYTES, lane, term + i * PAIR_BYTES, lane);
    });
    g1.add(product, term, product);
  }
  g1.add(sum, product, sum);
  for (let i = 0; i < 3; i++) copyLane(kernel, product + i * PAIR_BYTES, 1, product + i * PAIR_BYTES, 0);
  g1.add(sum, product, sum);
}
