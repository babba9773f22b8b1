import { R } from "../witness/field.ts";
import type { Instruction, Program, ProgramInput, Sum } from "../witness/program.ts";
import { type Linear, ONE } from "./linear.ts";
import { type Step, targetsOf } from "./step.ts";

/**
 * Gives every wire its slot.
 *
 * @param inputs names with their wires, in order
 * @param wires of the witness, in its order
 */
export function assemble(inputs: [input: ProgramInput, wires: number[]][], steps: Step[], wires: number[]): Program {
  const slots = new Map([[ONE, 0]]);
  const give = (wire: number) => slots.set(wire, slots.size);
  for (const wire of inputs.flatMap(([, own]) => own)) give(wire);
  const slotOf = (wire: number): number => {
    const slot = slots.get(wire);
    if (slot === undefined) throw new Error(`wire ${wire} is used before it is computed`);
    return slot;
  };
  const instructions = steps.map((step) => {
    const instruction = toInstruction(step, (linear) => toSum(linear, slotOf));
    for (const wire of targetsOf(step)) give(wire);
    return instruction;
  });
  return { inputs: inputs.map(([input]) => input), instructions, wires: wires.map(slotOf) };
}

function toInstruction(step: Step, sumOf: (linear: Linear) => Sum): Instruction {
  const sum = sumOf(step.sum);
  if (step.kind === "product" || step.kind === "check") {
    return { kind: step.kind, a: sumOf(step.a), b: sumOf(step.b), sum };
  }
  if (step.kind === "bits") return { kind: step.kind, sum, count: step.targets.length };
  return { kind: step.kind, sum };
}

function toSum(linear: Linear, slotOf: (wire: number) => number): Sum {
  const terms = [...linear].filter(([wire]) => wire !== ONE).map(([wire, k]) => [slotOf(wire), balanced(k)] as const);
  terms.sort(([one], [other]) => one - other);
  const weighted = terms.filter(([, k]) => k !== 1n);
  return {
    constant: balanced(linear.get(ONE) ?? 0n),
    plain: terms.filter(([, k]) => k === 1n).map(([slot]) => slot),
    weighted: weighted.map(([slot]) => slot),
    factors: weighted.map(([, k]) => k),
  };
}

/** The number of least absolute value that is congruent to it. */
function balanced(value: bigint): bigint {
  return value > R / 2n ? value - R : value;
}
