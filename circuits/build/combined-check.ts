import { randomBytes } from "node:crypto";
import { curves, type Group, type Point, zKey } from "snarkjs";
import { type R1cs, readR1cs, type Terms } from "../derive/read-constraints.ts";
import { mod, R } from "../witness/field.ts";
import { findSection } from "./contributions.ts";
import { areOnG1, areOnG2, G1_BYTES, G2_BYTES, Q, scalarBytes } from "./points.ts";

/** Sections of a `.zkey`. */
const KEY = { groth16: 1, header: 2, ic: 3, coefficients: 4, a: 5, b1: 6, b2: 7, l: 8, h: 9, contributions: 10 };
/** Sections of a `.ptau`: first powers, and each power of two's Lagrange points in a row. */
const PTAU = { alpha: 4, beta: 5, beta2: 6, points: 12, points2: 13, alphaPoints: 14, betaPoints: 15 };
const CIRCUIT_HASH_BYTES = 64;
const RANDOM_BYTES = 16;
/** In the header of a key: both fields' size and order, three numbers, six points. */
const COUNTS_AT = 2 * (4 + 32);
const DELTA2_AT = COUNTS_AT + 12 + 3 * G1_BYTES + 2 * G2_BYTES;

/**
 * Why a proving key is not what this circuit, these powers of tau and the key's contributions make, or null. As
 * `zkey verify`, for a fraction of its time: that computes each point again, this compares a random combination of all
 * of them, which a wrong point leaves equal once in 2^128 times. (Once in 10,069 for a point of B2 that is outside of
 * G2, with which no proof verifies.) One thing is not compared: whether the circuit's hash with which the contributions
 * begin is this circuit's. Those made for another one keep delta as secret.
 *
 * @throws when a file ends early
 */
export async function combinedKeyFault(r1cs: Buffer, ptau: Buffer, zkey: Buffer): Promise<string | null> {
  const circuit = readR1cs(r1cs);
  const publicCount = circuit.outputCount + circuit.publicCount;
  const domain = 2 ** (Math.floor(Math.log2(circuit.constraints.length + publicCount)) + 1);
  // Without the file around it, which would be sent to snarkjs' threads too.
  const section = (id: number) => new Uint8Array(findSection(zkey, id));
  const header = Buffer.from(section(KEY.header));

  const sizes = [
    [KEY.ic, (publicCount + 1) * G1_BYTES],
    [KEY.a, circuit.wireCount * G1_BYTES],
    [KEY.b1, circuit.wireCount * G1_BYTES],
    [KEY.b2, circuit.wireCount * G2_BYTES],
    [KEY.l, (circuit.wireCount - publicCount - 1) * G1_BYTES],
    [KEY.h, domain * G1_BYTES],
  ] as const;
  if (sizes.some(([id, bytes]) => section(id).length !== bytes)) return "it has more or fewer points than the circuit";
  if (header.readUInt32LE(COUNTS_AT) !== circuit.wireCount) return "it has more or fewer wires than the circuit";
  if (!coefficients(circuit, publicCount).equals(section(KEY.coefficients))) return "its coefficients are others";
  if (![KEY.ic, KEY.a, KEY.b1, KEY.l, KEY.h].every((id) => areOnG1(section(id)))) return "a point is not on G1's curve";
  if (!areOnG2(section(KEY.b2))) return "a point is not on G2's curve";

  const points = (id: number, bytes: number) =>
    new Uint8Array(findSection(ptau, id).subarray((domain - 1) * bytes, (2 * domain - 1) * bytes));
  return (
    (await pointsFault(circuit, publicCount, section, header.subarray(DELTA2_AT, DELTA2_AT + G2_BYTES), {
      tau: points(PTAU.points, G1_BYTES),
      alphaTau: points(PTAU.alphaPoints, G1_BYTES),
      betaTau: points(PTAU.betaPoints, G1_BYTES),
      tau2: points(PTAU.points2, G2_BYTES),
    })) ?? (await historyFault(publicCount, domain, section, ptau))
  );
}

interface LagrangePoints {
  tau: Uint8Array;
  alphaTau: Uint8Array;
  betaTau: Uint8Array;
  tau2: Uint8Array;
}

/** Why A, B1, B2, IC or L are not the circuit's, or null. */
async function pointsFault(
  { constraints, wireCount }: R1cs,
  publicCount: number,
  section: (id: number) => Uint8Array,
  delta2: Uint8Array,
  { tau, alphaTau, betaTau, tau2 }: LagrangePoints,
): Promise<string | null> {
  const { G1, G2, pairingEq } = await curves.getCurveFromName("bn128");
  const ones = Array.from({ length: publicCount + 1 }, (_, wire): Terms => [[wire, 1n]]);
  const inA = [...constraints.map(([a]) => a), ...ones];
  const inB = constraints.map(([, b]) => b);
  const inC = constraints.map(([, , c]) => c);
  const [forA, forB, forStatement] = [randoms(wireCount), randoms(wireCount), randoms(wireCount)];
  const [ofPublic, ofPrivate] = [forStatement.map(onlyIf(isPublic)), forStatement.map(onlyIf((one) => !isPublic(one)))];
  function isPublic(wire: number): boolean {
    return wire <= publicCount;
  }

  const statement = (factors: bigint[]) =>
    Promise.all([
      sum(G1, betaTau, perRow(inA, factors)),
      sum(G1, alphaTau, perRow(inB, factors)),
      sum(G1, tau, perRow(inC, factors)),
    ]);
  const add = (found: Point[]) => found.reduce((a, b) => G1.add(a, b));

  const ab = add([await sum(G1, section(KEY.a), forA), await sum(G1, section(KEY.b1), forB)]);
  const wantedAb = await sum(G1, tau, plus(perRow(inA, forA), perRow(inB, forB)));
  if (!G1.eq(ab, wantedAb)) return "A or B1 is not the circuit's";
  const b2 = await sum(G2, section(KEY.b2), forB);
  if (!G2.eq(b2, await sum(G2, tau2, perRow(inB, forB)))) return "B2 is not the circuit's";
  const ic = await sum(G1, section(KEY.ic), forStatement.slice(0, publicCount + 1));
  if (!G1.eq(ic, add(await statement(ofPublic)))) return "IC is not the circuit's";
  const l = await sum(G1, section(KEY.l), forStatement.slice(publicCount + 1));
  const isDivided = await pairingEq(add(await statement(ofPrivate)), G2.g, G1.neg(l), delta2);
  return isDivided ? null : "L is not the circuit's, divided by delta";
}

/**
 * Why header, H or contributions are not what they should be, or null. snarkjs compares them, for a key without the
 * wires whose points are compared already.
 */
async function historyFault(
  publicCount: number,
  domain: number,
  section: (id: number) => Uint8Array,
  ptau: Buffer,
): Promise<string | null> {
  const { G1, G2 } = await curves.getCurveFromName("bn128");
  const first = (id: number, bytes: number) => findSection(ptau, id).subarray(0, bytes);
  const [g1, g2] = [G1.g, G2.g].map((point, i) => (i === 0 ? G1 : G2).toAffine(point)) as [Point, Point];
  const fields = [Q, R].flatMap((order) => [
    word(32),
    Buffer.from(order.toString(16).padStart(64, "0"), "hex").reverse(),
  ]);
  const startHeader = Buffer.concat([
    ...[...fields, word(publicCount + 1), word(publicCount), word(domain)],
    ...[first(PTAU.alpha, G1_BYTES), first(PTAU.beta, G1_BYTES), first(PTAU.beta2, G2_BYTES)],
    ...[g2, g1, g2],
  ]);
  const header = Buffer.from(section(KEY.header));
  header.writeUInt32LE(publicCount + 1, COUNTS_AT);
  const contributions = section(KEY.contributions);
  const none = new Uint8Array();
  const file = (own: Uint8Array, h: Uint8Array, made: Uint8Array) =>
    zkeyFile([section(KEY.groth16), own, none, none, none, none, none, none, h, made]);
  const start = file(startHeader, none, Buffer.concat([contributions.subarray(0, CIRCUIT_HASH_BYTES), word(0)]));
  const isMade = await zKey.verifyFromInit(start, ptau, file(header, section(KEY.h), contributions));
  return isMade ? null : "header, H or contributions do not fit these powers of tau";
}

/** The sum of factor * point, for factors in the order of the points. There may be fewer, for the first points. */
function sum(group: Group, points: Uint8Array, factors: bigint[]): Promise<Point> {
  const size = (group.g.length / 3) * 2;
  const used = [...factors.keys()].filter((i) => factors[i] !== 0n);
  const bases = new Uint8Array(used.length * size);
  for (const [at, i] of used.entries()) bases.set(points.subarray(i * size, (i + 1) * size), at * size);
  const scalars = used.map((i) => factors[i] as bigint);
  const isShort = scalars.every((scalar) => scalar < 2n ** BigInt(8 * RANDOM_BYTES));
  return group.multiExpAffine(bases, scalarBytes(scalars, isShort ? RANDOM_BYTES : 32));
}

/** For each row, what its terms come to when each wire counts as its factor. */
function perRow(rows: Terms[], factors: bigint[]): bigint[] {
  return rows.map((terms) => mod(terms.reduce((total, [wire, k]) => total + k * (factors[wire] as bigint), 0n)));
}

function plus(a: bigint[], b: bigint[]): bigint[] {
  return a.map((value, i) => mod(value + (b[i] ?? 0n)));
}

function onlyIf(isWanted: (wire: number) => boolean): (factor: bigint, wire: number) => bigint {
  return (factor, wire) => (isWanted(wire) ? factor : 0n);
}

function randoms(count: number): bigint[] {
  return Array.from({ length: count }, () => BigInt(`0x${randomBytes(RANDOM_BYTES).toString("hex")}`));
}

/** The section of a key for the prover: matrix, row, wire and coefficient of each term of A and B. */
function coefficients({ constraints }: R1cs, publicCount: number): Buffer {
  const scale = 2n ** 512n % R;
  const terms: [matrix: number, row: number, wire: number, k: bigint][] = constraints.flatMap(([a, b], row) =>
    [a, b].flatMap((one, matrix) => one.map(([wire, k]): (typeof terms)[number] => [matrix, row, wire, k])),
  );
  for (let wire = 0; wire <= publicCount; wire++) terms.push([0, constraints.length + wire, wire, 1n]);
  const values = scalarBytes(terms.map(([, , , k]) => k * scale));
  const bytes = Buffer.alloc(4 + 44 * terms.length);
  bytes.writeUInt32LE(terms.length);
  for (const [i, [matrix, row, wire]] of terms.entries()) {
    const at = 4 + 44 * i;
    bytes.writeUInt32LE(matrix, at);
    bytes.writeUInt32LE(row, at + 4);
    bytes.writeUInt32LE(wire, at + 8);
    bytes.set(values.subarray(32 * i, 32 * i + 32), at + 12);
  }
  return bytes;
}

/** A `.zkey` of these sections, numbered from 1. */
function zkeyFile(sections: Uint8Array[]): Buffer {
  return Buffer.concat([
    Buffer.from("zkey"),
    ...[word(1), word(sections.length)],
    ...sections.flatMap((bytes, i) => [word(i + 1), word(bytes.length), word(0), bytes]),
  ]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
