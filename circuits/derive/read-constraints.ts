import { readFile } from "node:fs/promises";
import { R } from "../witness/field.ts";
import { type Constraint, constraint } from "./constraint.ts";
import type { Linear } from "./linear.ts";

/** A compiled circuit. Wires: the constant 1, outputs, public inputs, private inputs, all others. */
export interface ConstraintSystem {
  constraints: Constraint[];
  wireCount: number;
  outputCount: number;
  inputCount: number;
  /** The name of each signal that has a wire, with its wire. */
  wires: Map<string, number>;
}

const HEADER = 1;
const CONSTRAINTS = 2;
const FIELD_BYTES = 32;

/** Reads circom's `.r1cs` (version 1) and `.sym`, whose lines are: label, wire (-1 when removed), component, name. */
export async function readConstraints(files: { r1cs: string; sym: string }): Promise<ConstraintSystem> {
  const [file, names] = await Promise.all([readFile(files.r1cs), readFile(files.sym, "utf8")]);
  const wires = new Map<string, number>();
  for (const line of names.trim().split("\n")) {
    const [, wire, , name] = line.split(",");
    if (name !== undefined && wire !== "-1") wires.set(name, Number(wire));
  }
  const { constraints, wireCount, outputCount, publicCount, privateCount } = readR1cs(file);
  return {
    constraints: constraints.map(([a, b, c]) => constraint(linear(a), linear(b), linear(c))),
    wireCount,
    outputCount,
    inputCount: publicCount + privateCount,
    wires,
  };
}

/** A linear combination as the file lists it. */
export type Terms = [wire: number, coefficient: bigint][];

/** A `.r1cs` as it is written: each constraint is A, B, C with A * B = C. */
export interface R1cs {
  constraints: [a: Terms, b: Terms, c: Terms][];
  wireCount: number;
  outputCount: number;
  publicCount: number;
  privateCount: number;
}

/** Reads circom's `.r1cs` (version 1), terms in the order of the file. */
export function readR1cs(file: Buffer): R1cs {
  const sections = sectionsOf(file);
  const header = sections.get(HEADER);
  const body = sections.get(CONSTRAINTS);
  if (!header || !body || header.readUInt32LE(0) !== FIELD_BYTES || elementAt(header, 4) !== R) {
    throw new Error("the r1cs is not over the scalar field of BN254");
  }
  const count = (index: number) => header.readUInt32LE(4 + FIELD_BYTES + 4 * index);
  const [wireCount = 0, outputCount = 0, publicCount = 0, privateCount = 0] = [0, 1, 2, 3].map(count);
  const constraintCount = header.readUInt32LE(4 + FIELD_BYTES + 16 + 8);
  let at = 0;
  const terms = (): Terms => {
    const termCount = body.readUInt32LE(at);
    at += 4;
    return Array.from({ length: termCount }, () => {
      const term: Terms[number] = [body.readUInt32LE(at), elementAt(body, at + 4)];
      at += 4 + FIELD_BYTES;
      return term;
    });
  };
  const constraints = Array.from({ length: constraintCount }, (): R1cs["constraints"][number] => [
    terms(),
    terms(),
    terms(),
  ]);
  return { constraints, wireCount, outputCount, publicCount, privateCount };
}

function linear(terms: Terms): Linear {
  return new Map(terms.filter(([, coefficient]) => coefficient !== 0n));
}

function sectionsOf(file: Buffer): Map<number, Buffer> {
  if (file.toString("latin1", 0, 4) !== "r1cs") throw new Error("not an r1cs");
  const sections = new Map<number, Buffer>();
  let at = 12;
  for (let left = file.readUInt32LE(8); left > 0; left--) {
    const length = Number(file.readBigUInt64LE(at + 4));
    sections.set(file.readUInt32LE(at), file.subarray(at + 12, at + 12 + length));
    at += 12 + length;
  }
  return sections;
}

function elementAt(bytes: Buffer, at: number): bigint {
  let value = 0n;
  for (let word = 3; word >= 0; word--) value = (value << 64n) | bytes.readBigUInt64LE(at + 8 * word);
  return value;
}
