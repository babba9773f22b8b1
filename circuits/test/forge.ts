import { inverse, mod } from "./field.ts";
import { type Constraint, type Row, type System, wiresOf } from "./system.ts";

/** What a cheat puts into the bits of a number that does not fit: its low bits, or an oversized top "bit". */
export type BitLie = "truncate" | "absorb";
export type Inputs = Record<string, bigint | bigint[]>;

/**
 * Builds a full witness without asking the circuit's own generator, as a cheat would: takes any inputs, lies about bits
 * that cannot be true, may fix further wires by name, and works out every other wire so that as much as possible holds.
 *
 * @param system the circuit compiled without optimisation, where every signal has a wire
 * @throws when a wire is left that nothing determines
 */
export function forge(system: System, inputs: Inputs, lie: BitLie, fixed: Record<string, bigint> = {}): bigint[] {
  const solver = new Solver(system);
  solver.set(0, 1n);
  for (const [name, value] of Object.entries(fixed)) solver.set(solver.wire(name), value);
  for (const [name, value] of flatten(inputs)) solver.set(solver.wire(name), value);
  solver.propagate();
  while (hint(solver, system, lie)) solver.propagate();
  return solver.finish();
}

/** Signal names with values, arrays expanded. */
export function flatten(inputs: Inputs): [name: string, value: bigint][] {
  return Object.entries(inputs).flatMap(([name, value]): [string, bigint][] =>
    Array.isArray(value) ? value.map((one, i) => [`main.${name}[${i}]`, one]) : [[`main.${name}`, value]],
  );
}

/** The values no constraint yields, only the generator's `<--`: bits of a number and the inverse in IsZero. */
function hint(solver: Solver, system: System, lie: BitLie): boolean {
  let hinted = false;
  for (const [name, wire] of system.wires) {
    const [, component, signal, index] = /^(.*)\.(out|inv)(?:\[(\d+)\])?$/.exec(name) ?? [];
    if (component === undefined || solver.value(wire) !== undefined) continue;
    const input = solver.value(system.wires.get(`${component}.in`) ?? wire);
    if (input === undefined) continue;
    if (signal === "inv") solver.set(wire, inverse(input));
    else if (!component.endsWith(".bits") || (lie === "absorb" && index === "63")) continue;
    else solver.set(wire, (input >> BigInt(index as string)) & 1n);
    hinted = true;
  }
  return hinted;
}

class Solver {
  readonly #values: (bigint | undefined)[];
  readonly #system: System;
  #queue: Constraint[];

  constructor(system: System) {
    this.#system = system;
    this.#queue = [...system.constraints];
    this.#values = new Array(system.wireCount).fill(undefined);
  }

  wire(name: string): number {
    const wire = this.#system.wires.get(name);
    if (wire === undefined) throw new Error(`no wire ${name}`);
    return wire;
  }

  value(wire: number): bigint | undefined {
    return this.#values[wire];
  }

  /** The first value given stays: what contradicts it later is a broken constraint. */
  set(wire: number, value: bigint) {
    if (this.#values[wire] !== undefined) return;
    this.#values[wire] = mod(value);
    this.#queue.push(...(this.#system.occurrences[wire] as Constraint[]));
  }

  propagate() {
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) this.#solve(next);
  }

  finish(): bigint[] {
    const open = this.#values.indexOf(undefined);
    if (open !== -1) throw new Error(`wire ${open} is not determined`);
    return this.#values as bigint[];
  }

  /** Solves a constraint for its only unknown wire, where that is a linear equation. */
  #solve(constraint: Constraint) {
    const unknown = [...wiresOf(constraint)].filter((wire) => this.#values[wire] === undefined);
    const [wire] = unknown;
    if (wire === undefined || unknown.length > 1) return;
    const [a, b, c] = constraint.map((row) => this.#split(row, wire)) as [Split, Split, Split];
    if (a.coefficient !== 0n && b.coefficient !== 0n) return;
    const slope = mod(a.coefficient * b.known + b.coefficient * a.known - c.coefficient);
    if (slope !== 0n) this.set(wire, (c.known - a.known * b.known) * inverse(slope));
  }

  #split(row: Row, unknown: number): Split {
    let [known, coefficient] = [0n, 0n];
    for (const [wire, k] of row) {
      if (wire === unknown) coefficient = k;
      else known += k * (this.#values[wire] as bigint);
    }
    return { known: mod(known), coefficient };
  }
}

interface Split {
  known: bigint;
  coefficient: bigint;
}
