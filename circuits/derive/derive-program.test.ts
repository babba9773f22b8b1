import { describe, expect, test } from "vitest";
import { inverse, mod, R } from "../witness/field.ts";
import { type Inputs, runProgram } from "../witness/run-program.ts";
import { UnsatisfiedCircuit } from "../witness/unsatisfied-circuit.ts";
import { constraint } from "./constraint.ts";
import { deriveProgram } from "./derive-program.ts";
import type { Linear } from "./linear.ts";
import type { ConstraintSystem } from "./read-constraints.ts";

/** Signals by name; "1" is the constant. */
type Terms = Record<string, bigint>;

/** A circuit by the names of its inputs and its constraints a · b = c; all signals have wires. */
function circuit(inputs: string[], constraints: [a: Terms, b: Terms, c: Terms][]): ConstraintSystem {
  const names = [...new Set([...inputs, ...constraints.flat().flatMap((terms) => Object.keys(terms))])];
  const wires = new Map(names.filter((name) => name !== "1").map((name, i) => [name, i + 1]));
  const linear = (terms: Terms): Linear =>
    new Map(Object.entries(terms).map(([name, k]) => [wires.get(name) ?? 0, mod(k)]));
  return {
    constraints: constraints.map(([a, b, c]) => constraint(linear(a), linear(b), linear(c))),
    ...{ wireCount: wires.size + 1, outputCount: 0, inputCount: inputs.length },
    wires: new Map([...wires].map(([name, wire]) => [`main.${name}`, wire])),
  };
}

/** Runs the program of a circuit. */
function derive(inputs: string[], ...constraints: [a: Terms, b: Terms, c: Terms][]) {
  const system = circuit(inputs, constraints);
  const program = deriveProgram(system, system);
  return (given: Inputs) => {
    const witness = runProgram(program, given);
    expect(witness[0]).toBe(1n);
    return Object.fromEntries([...system.wires].map(([name, wire]) => [name.slice("main.".length), witness[wire]]));
  };
}
const refused = UnsatisfiedCircuit;
const ONE = { 1: 1n };
const boolean = (name: string): [Terms, Terms, Terms] => [{ [name]: 1n }, { [name]: 1n, 1: -1n }, {}];

describe("signals that one constraint gives", () => {
  test("follow from sums, products and copies, in whatever order the constraints stand", () => {
    const run = derive(
      ["x", "y"],
      [{}, {}, { copy: 1n, product: -1n }],
      [{ x: 2n, 1: 1n }, { y: 3n }, { product: 5n, sum: 1n }],
      [{}, {}, { x: 1n, y: -4n, sum: 7n, 1: 9n }],
    );
    const sum = mod(-(10n - 80n + 9n) * inverse(7n));
    const product = mod((21n * 60n - sum) * inverse(5n));
    expect(run({ x: 10n, y: 20n })).toEqual({ x: 10n, y: 20n, copy: product, product, sum });
  });

  test("a constraint among known signals is checked: equal inputs, a sum, a product, a constant", () => {
    expect(() => derive(["x", "y"], [{}, {}, { x: 1n, y: -1n }])({ x: 1n, y: 2n })).toThrow(refused);
    expect(() => derive(["x", "y"], [{}, {}, { x: 1n, y: 1n, 1: -4n }])({ x: 1n, y: 2n })).toThrow(refused);
    const product = derive(["x", "y", "z"], [{ x: 1n }, { y: 1n }, { z: 1n }]);
    expect(() => product({ x: 2n, y: 3n, z: 7n })).toThrow(refused);
    expect(product({ x: 2n, y: 3n, z: 6n })).toMatchObject({ z: 6n });
    expect(() => derive(["x"], [{}, {}, { x: 1n }])({ x: 1n })).toThrow(refused);
    expect(() => derive(["x"], [{}, {}, { 1: 1n }])({ x: 1n })).toThrow(refused);
  });

  test("a signal given twice has to have both values", () => {
    const run = derive(["x", "y"], [{}, {}, { x: 1n, z: -1n }], [{ y: 1n }, { y: 1n }, { z: 1n }]);
    expect(run({ x: 9n, y: 3n })).toMatchObject({ z: 9n });
    expect(() => run({ x: 8n, y: 3n })).toThrow(refused);
  });
});

describe("bits", () => {
  const constraints = [
    [{}, {}, { x: 1n, y: 1n, top: -12n, low: -3n, mid: -6n }],
    ...["low", "mid", "top"].map(boolean),
  ] as [Terms, Terms, Terms][];

  test("are those of the number that they add up to, whatever their names, order and common factor", () => {
    const run = derive(["x", "y"], ...constraints);
    expect(run({ x: 10n, y: 5n })).toMatchObject({ low: 1n, mid: 0n, top: 1n });
    expect(run({ x: R - 1n, y: 1n })).toMatchObject({ low: 0n, mid: 0n, top: 0n });
  });

  test("of a number that does not fit are refused, also where the witness has none of them", () => {
    const system = circuit(["x", "y"], constraints);
    const inputs = new Map([...system.wires].slice(0, 2));
    const programs = [deriveProgram(system, system), deriveProgram(system, { ...system, wireCount: 3, wires: inputs })];
    for (const program of programs) {
      expect(runProgram(program, { x: 10n, y: 5n })).toContain(10n);
      for (const [x, y] of [
        [12n, 12n],
        [R - 1n, 0n],
        [1n, 0n],
      ] as const) {
        expect(() => runProgram(program, { x, y })).toThrow(refused);
      }
    }
  });

  test("that need not be 0 or 1, or leave out a power of 2, are not determined", () => {
    expect(() => derive(["x", "y"], ...constraints.slice(0, 3))).toThrow("main.top");
    const gap = [[{}, {}, { x: 1n, low: -1n, top: -4n }], boolean("low"), boolean("top")] as [Terms, Terms, Terms][];
    expect(() => derive(["x"], ...gap)).toThrow("No constraint determines main.low, main.top");
  });
});

describe("an inverse", () => {
  test("says whether a sum is zero", () => {
    const run = derive(
      ["x", "y"],
      [{ x: -1n, y: 1n }, { inv: 1n }, { zero: 1n, 1: -1n }],
      [{ x: 2n, y: -2n }, { zero: 1n }, {}],
    );
    expect(run({ x: 5n, y: 5n })).toMatchObject({ inv: 0n, zero: 1n });
    expect(run({ x: 7n, y: 5n })).toMatchObject({ inv: inverse(2n), zero: 0n });
  });

  test("says that a sum is not zero", () => {
    const run = derive(["x"], [{ inv: 3n }, { x: 2n }, { 1: 12n }]);
    expect(run({ x: 5n })).toMatchObject({ inv: mod(2n * inverse(5n)) });
    expect(() => run({ x: 0n })).toThrow(refused);
  });

  test("without the constraint that makes the result 0 is not determined", () => {
    expect(() => derive(["x"], [{ x: 1n }, { inv: 1n }, { zero: -1n, 1: 1n }])).toThrow("main.inv, main.zero");
    expect(() => derive(["x"], [{ x: 1n }, { any: 1n }, {}])).toThrow("main.any");
  });
});

test("what no constraint determines is named", () => {
  expect(() => derive(["x"], [{ free: 1n }, { free: 1n }, { x: 1n }], [ONE, { x: 1n }, { also: 1n }])).toThrow(
    "No constraint determines main.free",
  );
});
