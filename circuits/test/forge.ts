import { inverse, mod } from "../witness/field.ts";
import { type Constraint, plainName, type Row, type System } from "./system.ts";

/** What a cheat puts into the bits of a number that does not fit: its low bits, or an oversized top "bit". */
export type BitLie = "truncate" | "absorb";
export type Inputs = Record<string, bigint | bigint[]>;

/**
 * Builds a full witness without asking the circuit's own generator, as a cheat would: takes any inputs, lies about bits
 * that cannot be true, may fix further wires by name, and works out every other wire so that as much as possible holds.
 *
 * @param system the circuit compiled without optimisation, where every signal has a wire
 * @param fixed values by plain signal name (`system.ts`), as `PolicyRules.newDay`
 * @param broken constraints the cheat means to break: nothing follows from them but what nothing else decides
 * @throws when a wire is left that nothing determines
 */
export function forge(
  system: System,
  inputs: Inputs,
  lie: BitLie,
  fixed: Record<string, bigint> = {},
  broken: ReadonlySet<Constraint> = new Set(),
): bigint[] {
  const solver = new Solver(system, broken);
  solver.set(0, 1n);
  for (const [name, value] of Object.entries(fixed)) solver.set(solver.wireOf(name), value);
  for (const [name, value] of flatten(inputs)) solver.set(solver.wire(name), value);
  for (const release of [() => {}, () => solver.useAll()]) {
    release();
    solver.propagate();
    while (hint(solver, system, lie)) solver.propagate();
  }
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
  for (const { wire, source, bit } of hintedWires(system)) {
    if (solver.value(wire) !== undefined || (lie === "absorb" && bit?.top)) continue;
    const input = solver.value(source);
    if (input === undefined) continue;
    solver.set(wire, bit === undefined ? inverse(input) : (input >> bit.index) & 1n);
    hinted = true;
  }
  return hinted;
}

/** A wire that no constraint yields, and the one it follows from: as a bit of it, else as its inverse. */
interface Hinted {
  wire: number;
  source: number;
  bit?: { index: bigint; top: boolean };
}

const wiresByPlainName = new WeakMap<System, Map<string, number[]>>();

/** The wires of each plain name, found once for each system. */
function plainWires(system: System): Map<string, number[]> {
  const known = wiresByPlainName.get(system);
  if (known) return known;
  const found = new Map<string, number[]>();
  for (const [name, wire] of system.wires) {
    const plain = plainName(name);
    found.set(plain, [...(found.get(plain) ?? []), wire]);
  }
  wiresByPlainName.set(system, found);
  return found;
}

const hintedBySystem = new WeakMap<System, Hinted[]>();

/** Found once for each system: it has tens of thousands of names. */
function hintedWires(system: System): Hinted[] {
  const known = hintedBySystem.get(system);
  if (known) return known;
  const found = [...system.wires].flatMap(([name, wire]): Hinted[] => {
    const [, component = "", signal, index = ""] = /^(.*)\.(out|inv)(?:\[(\d+)\])?$/.exec(name) ?? [];
    const source = system.wires.get(`${component}.in`);
    if (signal === undefined || source === undefined) return [];
    if (signal === "inv") return [{ wire, source }];
    if (!component.endsWith(".bits")) return [];
    const top = !system.wires.has(`${component}.out[${Number(index) + 1}]`);
    return [{ wire, source, bit: { index: BigInt(index), top } }];
  });
  hintedBySystem.set(system, found);
  return found;
}

class Solver {
  readonly #values: (bigint | undefined)[];
  readonly #system: System;
  /** How many wires of each constraint have no value yet. */
  readonly #unknown: Uint32Array;
  /** Constraints with one such wire. */
  readonly #queue: number[] = [];
  /** Constraints from which nothing follows yet. */
  #unused: ReadonlySet<Constraint>;

  constructor(system: System, unused: ReadonlySet<Constraint>) {
    this.#system = system;
    this.#unused = unused;
    this.#values = new Array(system.wireCount).fill(undefined);
    this.#unknown = system.sizes.slice();
    for (const [index, size] of system.sizes.entries()) if (size === 1) this.#queue.push(index);
  }

  wire(name: string): number {
    const wire = this.#system.wires.get(name);
    if (wire === undefined) throw new Error(`no wire ${name}`);
    return wire;
  }

  /** The wire of a plain name, which has to belong to one signal alone. */
  wireOf(plain: string): number {
    const wires = plainWires(this.#system).get(plain) ?? [];
    const [wire] = wires;
    if (wire === undefined || wires.length > 1) throw new Error(`${plain} is the name of ${wires.length} signals`);
    return wire;
  }

  value(wire: number): bigint | undefined {
    return this.#values[wire];
  }

  /** The first value given stays: what contradicts it later is a broken constraint. */
  set(wire: number, value: bigint) {
    if (this.#values[wire] !== undefined) return;
    this.#values[wire] = mod(value);
    const unknown = this.#unknown;
    for (const index of this.#system.occurrences[wire] as number[]) {
      const count = (unknown[index] as number) - 1;
      unknown[index] = count;
      if (count === 1) this.#queue.push(index);
    }
  }

  /** Lets the constraints held back decide what is left. */
  useAll() {
    for (const [index, constraint] of this.#system.constraints.entries()) {
      if (this.#unused.has(constraint)) this.#queue.push(index);
    }
    this.#unused = new Set();
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
  #solve(index: number) {
    const constraint = this.#system.constraints[index] as Constraint;
    if (this.#unknown[index] !== 1 || this.#unused.has(constraint)) return;
    const wire = this.#unknownOf(constraint);
    const [a, b, c] = [
      this.#split(constraint[0], wire),
      this.#split(constraint[1], wire),
      this.#split(constraint[2], wire),
    ];
    if (a.coefficient !== 0n && b.coefficient !== 0n) return;
    const slope = mod(a.coefficient * b.known + b.coefficient * a.known - c.coefficient);
    if (slope !== 0n) this.set(wire, (c.known - a.known * b.known) * inverse(slope));
  }

  #unknownOf(constraint: Constraint): number {
    for (const row of constraint) for (const [wire] of row) if (this.#values[wire] === undefined) return wire;
    throw new Error("the constraint has no unknown wire");
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
