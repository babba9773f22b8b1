import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { curves, wtns } from "snarkjs";
import { vi } from "vitest";
import type { CircuitName } from "../build/circuits.ts";
import { compileConstraints } from "../build/compile.ts";
import { optimisedConstraints } from "../build/kept.ts";
import { sha256 } from "../build/manifest.ts";
import { artifacts } from "../build/paths.ts";
import { type BitLie, forge, type Inputs } from "./forge.ts";
import { broken, readSystem, type System } from "./system.ts";

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
  const folder = await mkdtemp(join(tmpdir(), `halcyon-${name}-`));
  try {
    const [optimised, written] = await Promise.all([
      optimisedConstraints(name, join(folder, "o2")),
      compileConstraints(name, join(folder, "o0"), "O0"),
    ]);
    return {
      name,
      r1csHash: await sha256(optimised.r1cs),
      optimised: await readSystem(optimised.r1cs, optimised.sym),
      written: await readSystem(written.r1cs, written.sym),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The witness file of inputs by the committed generator, which throws when a statement does not hold. */
export async function witnessFile(name: CircuitName, inputs: Inputs): Promise<{ type: "mem" }> {
  const file = { type: "mem" as const };
  // The generator also prints each refusal; here the thrown error says it.
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    await wtns.calculate(inputs, artifacts(name).wasm, file);
  } finally {
    print.mockRestore();
  }
  return file;
}

export async function calculate(name: CircuitName, inputs: Inputs): Promise<bigint[]> {
  return wtns.exportJson(await witnessFile(name, inputs));
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
