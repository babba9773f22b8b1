import { readFile } from "node:fs/promises";
import { readR1cs, type Terms } from "../derive/read-constraints.ts";
import { mod, R } from "../witness/field.ts";

/** A linear combination: wires and their coefficients, below r/2 in absolute value: small ones cost less. */
export type Row = [wire: number, coefficient: bigint][];
/** A * B = C. */
export type Constraint = [a: Row, b: Row, c: Row];

/** A compiled circuit as its constraints, with the wire of each signal name that was not optimised away. */
export interface System {
  constraints: Constraint[];
  wireCount: number;
  publicCount: number;
  wires: Map<string, number>;
  /** The indices of the constraints each wire occurs in. */
  occurrences: number[][];
  /** How many wires each constraint has. */
  sizes: Uint32Array;
}

/** Reads a compiled circuit. `sym` lines are: label, wire (-1 when removed), component, name. */
export async function readSystem(r1csFile: string, symFile: string): Promise<System> {
  const { constraints, wireCount, publicCount } = readR1cs(await readFile(r1csFile));
  const toRow = (terms: Terms): Row =>
    terms.map(([wire, k]): Row[number] => [wire, signed(k)]).sort(([one], [other]) => one - other);
  const wires = new Map<string, number>();
  for (const line of (await readFile(symFile, "utf8")).trim().split("\n")) {
    const [, wire, , name] = line.split(",");
    if (name !== undefined && wire !== "-1") wires.set(name, Number(wire));
  }
  const parsed = constraints.map(([a, b, c]): Constraint => [toRow(a), toRow(b), toRow(c)]);
  const occurrences = Array.from({ length: wireCount }, (): number[] => []);
  const sizes = Uint32Array.from(parsed, (constraint, index) => {
    const all = wiresOf(constraint);
    for (const wire of all) occurrences[wire]?.push(index);
    return all.size;
  });
  return {
    constraints: parsed,
    occurrences,
    sizes,
    wireCount,
    publicCount,
    wires,
  };
}

/**
 * The name of a signal as it stands in the source: without `main`, and without the numbers circom gives components that
 * have no name. Signals of two such components of one template share a plain name.
 */
export function plainName(signal: string): string {
  return signal.replace(/^main\./, "").replaceAll(/_\d+_\d+(?:\[\d+\])*(?=\.)/g, "");
}

/** The constraints a full witness breaks. */
export function broken(system: System, witness: bigint[]): Constraint[] {
  return system.constraints.filter((constraint) => !holds(constraint, witness));
}

/** The number of least absolute value that is congruent to it. */
export function signed(value: bigint): bigint {
  const rest = mod(value);
  return rest > R / 2n ? rest - R : rest;
}

export function holds([a, b, c]: Constraint, witness: bigint[]): boolean {
  return mod(evaluate(a, witness) * evaluate(b, witness) - evaluate(c, witness)) === 0n;
}

/** All wires of a constraint, each once. */
export function wiresOf(constraint: Constraint): Set<number> {
  return new Set(constraint.flat().map(([wire]) => wire));
}

function evaluate(row: Row, witness: bigint[]): bigint {
  let sum = 0n;
  for (const [wire, k] of row) sum += k * (witness[wire] as bigint);
  return mod(sum);
}
