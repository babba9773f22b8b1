import { curves } from "snarkjs";
import type { CircuitName } from "../build/circuits.ts";
import { keptCircuit } from "../build/kept.ts";
import { sha256 } from "../build/manifest.ts";
import { type BitLie, forge, type Inputs } from "./forge.ts";
import { broken, holds, readSystem, type System } from "./system.ts";

/** One circuit under test, compiled from the sources as they are. */
export interface Subject {
  name: CircuitName;
  r1csHash: string;
  /** As proved with. */
  optimised: System;
  /** Statement by statement as written. */
  written: System;
}

export async function loadSubject(name: CircuitName): Promise<Subject> {
  const { r1cs, sym, written } = await keptCircuit(name);
  return {
    name,
    r1csHash: await sha256(r1cs),
    optimised: await readSystem(r1cs, sym),
    written: await readSystem(written.r1cs, written.sym),
  };
}

/** Forges a witness and names the templates whose statements it breaks as written; throws if the r1cs accepts it. */
export function forgery(subject: Subject, inputs: Inputs, lie: BitLie, fixed?: Record<string, bigint>): string[] {
  const { written, optimised } = subject;
  const witness = forge(written, inputs, lie, fixed);
  if (broken(optimised, project(subject, witness)).length === 0) throw new Error("the r1cs accepts the forged witness");
  const names = new Map([...written.wires].map(([name, wire]) => [wire, name]));
  const templates = broken(written, witness).map((constraint) => {
    const signals = constraint.flat().map(([wire]) => names.get(wire) ?? "");
    const inner = signals.map((signal) => /^main\.([A-Z]\w*?)_\d+/.exec(signal)?.[1]).find(Boolean);
    return inner ?? "main";
  });
  return [...new Set(templates)].sort();
}

/** Whether the r1cs refuses a forged witness; which statements do is not looked for. */
export function refusesForgery(subject: Subject, inputs: Inputs, lie: BitLie): boolean {
  const witness = project(subject, forge(subject.written, inputs, lie));
  return subject.optimised.constraints.some((constraint) => !holds(constraint, witness));
}

/** A witness of the circuit as written, reduced to the wires of the optimised one. */
export function project({ written, optimised }: Subject, witness: bigint[]): bigint[] {
  const reduced = new Array<bigint>(optimised.wireCount).fill(1n);
  for (const [name, wire] of optimised.wires) {
    reduced[wire] = witness[written.wires.get(name) as number] as bigint;
  }
  return reduced;
}

/** Ends the threads snarkjs keeps. */
export async function endSnarkjs() {
  await (await curves.getCurveFromName("bn128")).terminate();
}
