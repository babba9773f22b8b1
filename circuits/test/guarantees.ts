import { readFile } from "node:fs/promises";
import { groth16, type ProofWithSignals, type VerificationKey } from "snarkjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CIRCUITS, type CircuitName } from "../build/circuits.ts";
import { readManifest } from "../build/manifest.ts";
import { artifacts } from "../build/paths.ts";
import { witnessFile } from "../build/witness-file.ts";
import { R } from "../witness/field.ts";
import { runProgram } from "../witness/run-program.ts";
import { UnsatisfiedCircuit } from "../witness/unsatisfied-circuit.ts";
import { flatten, forge, type Inputs } from "./forge.ts";
import { type Forgery, mutants } from "./mutants.ts";
import { calculate, committedProgram } from "./program.ts";
import { endSnarkjs, forgery, loadSubject, project, refusesForgery, type Subject } from "./subject.ts";
import { broken, type Constraint, holds } from "./system.ts";
import { witnessProgram } from "./witness-program.ts";

export interface Guaranteed {
  name: CircuitName;
  constraints: number;
  /** An ordinary call, with no empty slot and change: every wire matters. */
  honest: Inputs;
}

/**
 * States what holds for every circuit, and hands the compiled circuit to the tests of this one.
 * @returns accepts: the inputs prove; refuses: neither the generator nor the constraints take them, however forged;
 *   refusesAnyhow: the same, whichever statement it is that refuses;
 *   everyStatementCounts: for each statement a forgery that it alone refuses
 */
export function guarantees({ name, constraints, honest }: Guaranteed) {
  let subject: Subject;
  beforeAll(async () => {
    subject = await loadSubject(name);
  });
  afterAll(endSnarkjs);

  const accepts = async (inputs: Inputs) => {
    const witness = await calculate(name, inputs);
    expect(broken(subject.optimised, witness)).toEqual([]);
  };
  const refusesForged = (inputs: Inputs, fixed?: Record<string, bigint>) => {
    const absorbed = forgery(subject, inputs, "absorb", fixed);
    return [...new Set([...absorbed, ...forgery(subject, inputs, "truncate", fixed)])];
  };
  const refuses = async (inputs: Inputs, ...templates: string[]) => {
    await expect(calculate(name, inputs)).rejects.toThrow("Assert Failed");
    expect(refusesForged(inputs)).toEqual(templates);
  };

  describe("the compiled circuit", () => {
    test("has the pinned size and is the one the proving key was created for", async () => {
      const record = (await readManifest())?.circuits[name];
      expect(subject.optimised.constraints).toHaveLength(constraints);
      expect(record).toMatchObject({ constraints, nPublic: subject.optimised.publicCount, r1cs: subject.r1csHash });
    });

    test("takes its public signals in the documented order", () => {
      const circuit = CIRCUITS.find((one) => one.name === name);
      const expected = circuit?.publicSignals.flatMap((signal) =>
        signal.length === 1
          ? [`main.${signal.name}`]
          : Array.from({ length: signal.length }, (_, i) => `main.${signal.name}[${i}]`),
      );
      const names = new Map([...subject.optimised.wires].map(([signal, wire]) => [wire, signal]));
      const found = Array.from({ length: subject.optimised.publicCount }, (_, i) => names.get(i + 1));
      expect(found).toEqual(expected);
    });

    test("constrains every declared input", () => {
      const { wires, occurrences } = subject.written;
      const loose = flatten(honest).filter(([signal]) => !occurrences[wires.get(signal) ?? -1]?.length);
      expect(loose).toEqual([]);
    });

    test("lets no wire of an honest witness be changed alone", async () => {
      const witness = await calculate(name, honest);
      const { constraints, occurrences } = subject.optimised;
      const changed = [...witness];
      const free = witness.flatMap((value, wire) => {
        changed[wire] = (value + 1n) % R;
        const isRefused = occurrences[wire]?.some((index) => !holds(constraints[index] as Constraint, changed));
        changed[wire] = value;
        return isRefused ? [] : [wire];
      });
      expect(free).toEqual([]);
    });
  });

  describe("witnesses", () => {
    test("an honest one is accepted, and the forger builds the very same", async () => {
      const witness = await calculate(name, honest);
      expect(broken(subject.optimised, witness)).toEqual([]);
      expect(project(subject, forge(subject.written, honest, "truncate"))).toEqual(witness);
      expect(project(subject, forge(subject.written, honest, "absorb"))).toEqual(witness);
    });

    test("any input but ctx changed alone is refused", async () => {
      const program = await committedProgram(name);
      for (const [signal, value] of flatten(honest).filter(([one]) => one !== "main.ctx")) {
        const changed = replace(honest, signal, (value + 1n) % R);
        expect(() => runProgram(program, changed), signal).toThrow(UnsatisfiedCircuit);
        // circom's generator, which takes longest, is asked about the first of each array.
        if (!/\[[1-9]/.test(signal)) await expect(calculate(name, changed), signal).rejects.toThrow("Assert Failed");
        expect(refusesForgery(subject, changed, "absorb"), signal).toBe(true);
      }
    });
  });

  witnessProgram(name);

  describe("proofs", () => {
    let proved: ProofWithSignals;
    let vkey: VerificationKey;
    beforeAll(async () => {
      proved = await groth16.prove(artifacts(name).zkey, witnessFile(await calculate(name, honest)));
      vkey = JSON.parse(await readFile(artifacts(name).vkey, "utf8"));
    });

    test("verify with the committed key", async () => {
      expect(await groth16.verify(vkey, proved.publicSignals, proved.proof)).toBe(true);
    });

    test("do not verify with any public signal changed, nor with one beyond the field", async () => {
      for (const [i, signal] of proved.publicSignals.entries()) {
        for (const other of [(BigInt(signal) + 1n) % R, BigInt(signal) + R]) {
          const changed = proved.publicSignals.with(i, String(other));
          expect(await groth16.verify(vkey, changed, proved.proof), `signal ${i}`).toBe(false);
        }
      }
    });
  });

  const refusesAnyhow = async (inputs: Inputs) => {
    await expect(calculate(name, inputs)).rejects.toThrow("Assert Failed");
    expect(refusesForged(inputs)).not.toEqual([]);
  };
  const everyStatementCounts = (forgeries: Record<string, Forgery>) => mutants(() => subject, forgeries);
  return { accepts, refuses, refusesAnyhow, refusesForged, everyStatementCounts };
}

function replace(inputs: Inputs, signal: string, value: bigint): Inputs {
  const [, name = "", index] = /^main\.(\w+)(?:\[(\d+)\])?$/.exec(signal) ?? [];
  const old = inputs[name];
  return { ...inputs, [name]: Array.isArray(old) ? old.with(Number(index), value) : value };
}
