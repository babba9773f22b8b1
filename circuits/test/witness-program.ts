import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CircuitName } from "../build/circuits.ts";
import { R } from "../witness/field.ts";
import { type Inputs, runProgram } from "../witness/run-program.ts";
import { UnsatisfiedCircuit } from "../witness/unsatisfied-circuit.ts";
import { honestInputs } from "./honest-inputs.ts";
import { calculate, committedProgram } from "./program.ts";

const SEED = 20_261_122;
const RUNS = 25;

/** States what holds for the witness program of every circuit. */
export function witnessProgram(name: CircuitName) {
  describe("the witness program", () => {
    const oneInput = () => fc.sample(honestInputs[name], { seed: SEED, numRuns: 1 })[0] as Inputs;

    test("computes every wire as circom's generator does, for any inputs that satisfy the circuit", async () => {
      await fc.assert(
        fc.asyncProperty(honestInputs[name], async (inputs) => {
          await calculate(name, inputs);
        }),
        { seed: SEED, numRuns: RUNS },
      );
    });

    test("refuses a missing input, an unknown one, one of another length, and values outside the field", async () => {
      const program = await committedProgram(name);
      const inputs = oneInput();
      expect(runProgram(program, inputs)[0]).toBe(1n);
      const refused = (wrong: object) =>
        expect(() => runProgram(program, wrong as Inputs), Object.keys(wrong).join()).toThrow(UnsatisfiedCircuit);
      for (const [signal, value] of Object.entries(inputs)) {
        const { [signal]: _, ...others } = inputs;
        refused(others);
        refused({ ...others, other: value });
        refused(Object.assign(Object.create({ [signal]: value }), { ...others, other: value }));
        const values = [value].flat();
        const wrong = [...wrongValues(values[0] as bigint)].map((one) =>
          Array.isArray(value) ? values.with(0, one as bigint) : one,
        );
        const lengths = Array.isArray(value) ? [values.slice(1), [...values, 0n], values[0]] : [values, []];
        for (const other of [...wrong, ...lengths]) refused({ ...others, [signal]: other });
      }
      refused({ ...inputs, extra: 0n });
      refused({});
    });
  });
}

function wrongValues(value: bigint): unknown[] {
  return [value + R, value - R, -1n, R, Number(value), String(value), null, undefined];
}
