import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import type { CircuitName } from "../build/circuits.ts";
import { artifacts } from "../build/paths.ts";
import type { Program } from "../witness/program.ts";
import { readProgram } from "../witness/read-program.ts";
import { type Inputs, runProgram } from "../witness/run-program.ts";
import { UnsatisfiedCircuit } from "../witness/unsatisfied-circuit.ts";
import { circomWitness } from "./circom-witness.ts";

const programs = new Map<CircuitName, Promise<Program>>();

/** The committed witness program of a circuit. */
export function committedProgram(name: CircuitName): Promise<Program> {
  const program = programs.get(name) ?? readFile(artifacts(name).witness).then(readProgram);
  programs.set(name, program);
  return program;
}

/**
 * The witness of inputs by the committed program. That it is circom's, wire by wire, is checked each time; and that the
 * program refuses what circom's generator refuses.
 *
 * @throws `Assert Failed` when a statement does not hold
 */
export async function calculate(name: CircuitName, inputs: Inputs): Promise<bigint[]> {
  const program = await committedProgram(name);
  const expected = await circomWitness(name, inputs).catch((error: Error) => error);
  if (expected instanceof Error) {
    expect(() => runProgram(program, inputs), "refused by circom").toThrow(UnsatisfiedCircuit);
    throw expected;
  }
  const witness = runProgram(program, inputs);
  expect(witness).toEqual(expected);
  return witness;
}
