import { constantOf, type Linear, ONE, substitute } from "./linear.ts";
import { operandsOf, type Step, targetsOf, withOperands } from "./step.ts";

/**
 * Fewer steps for the same outputs and refusals: sums of one term, and sums used once, become part of what uses them;
 * what nothing uses goes, and so do checks of constants that hold.
 *
 * @param outputs wires of the witness, which stay
 */
export function simplify(steps: readonly Step[], outputs: ReadonlySet<number>): Step[] {
  const needed = used(steps, outputs);
  const uses = countUses(needed);
  const sums = new Map<number, Linear>();
  const simplified = needed.flatMap((original): Step[] => {
    const step = withOperands(original, (operand) => substitute(operand, (wire) => sums.get(wire)));
    if (step.kind === "check" && step.a.size === 0 && constantOf(step.sum) === 0n) return [];
    if (step.kind !== "sum" || outputs.has(step.target)) return [step];
    const terms = step.sum.size - (step.sum.has(ONE) ? 1 : 0);
    if (terms > 1 && uses.get(step.target) !== 1) return [step];
    sums.set(step.target, step.sum);
    return [];
  });
  return used(simplified, outputs);
}

/** Checks, and the steps that they and the outputs need. */
function used(steps: readonly Step[], outputs: ReadonlySet<number>): Step[] {
  const needed = new Set(outputs);
  const kept = steps.toReversed().filter((step) => {
    const targets = targetsOf(step);
    // Bits that nothing uses still refuse a number that does not fit.
    if (step.kind !== "check" && step.kind !== "bits" && !targets.some((wire) => needed.has(wire))) return false;
    for (const operand of operandsOf(step)) for (const wire of operand.keys()) needed.add(wire);
    return true;
  });
  return kept.reverse();
}

function countUses(steps: readonly Step[]): Map<number, number> {
  const uses = new Map<number, number>();
  for (const operand of steps.flatMap(operandsOf)) {
    for (const wire of operand.keys()) uses.set(wire, (uses.get(wire) ?? 0) + 1);
  }
  return uses;
}
