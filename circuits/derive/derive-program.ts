import type { Program, ProgramInput } from "../witness/program.ts";
import { assemble } from "./assemble.ts";
import { mergeCopies } from "./merge-copies.ts";
import type { ConstraintSystem } from "./read-constraints.ts";
import { simplify } from "./simplify.ts";
import { solve } from "./solve.ts";

/**
 * The witness program of a circuit, derived from its constraints alone.
 *
 * @param written the circuit without optimization: every statement, in few terms
 * @param proved the circuit as it is proved, whose wires the witness has; each is a signal of `written`
 * @throws naming the signals that no constraint determines (see hints.ts)
 */
export function deriveProgram(written: ConstraintSystem, proved: ConstraintSystem): Program {
  const names = new Map([...written.wires].map(([name, wire]) => [wire, name]));
  const inputWires = Array.from({ length: written.inputCount }, (_, i) => 1 + written.outputCount + i);
  const firstFree = 1 + written.outputCount + written.inputCount;
  const { constraints, original } = mergeCopies(written.constraints, firstFree);
  const wires = witnessWires(written, proved).map(original);
  const steps = solve(constraints, inputWires, (wire) => names.get(wire) ?? `wire ${wire}`);
  return assemble(groupInputs(inputWires, names), simplify(steps, new Set(wires)), wires);
}

/** Which wire of `written` each wire of `proved` is. */
function witnessWires(written: ConstraintSystem, proved: ConstraintSystem): number[] {
  const wires = new Array<number>(proved.wireCount).fill(-1);
  wires[0] = 0;
  for (const [name, wire] of proved.wires) wires[wire] = written.wires.get(name) ?? -1;
  if (wires.includes(-1)) throw new Error("The witness has a wire that the circuit as written does not name.");
  return wires;
}

/** The wires of each input by its name. Those of an array follow each other. */
function groupInputs(wires: number[], names: ReadonlyMap<number, string>): [ProgramInput, number[]][] {
  const grouped = new Map<string, [ProgramInput, number[]]>();
  for (const wire of wires) {
    const [, name, index] = /^main\.([^[.]+)(\[.*)?$/.exec(names.get(wire) ?? "") ?? [];
    if (name === undefined) throw new Error(`The input of wire ${wire} has no name.`);
    const own = [...(grouped.get(name)?.[1] ?? []), wire];
    grouped.set(name, [{ name, length: index === undefined ? null : own.length }, own]);
  }
  return [...grouped.values()];
}
