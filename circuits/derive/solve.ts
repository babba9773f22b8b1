import { inverse, mod } from "../witness/field.ts";
import { booleanOf, type Constraint, wiresOf } from "./constraint.ts";
import { bitsHint, inverseHint } from "./hints.ts";
import { times, without } from "./linear.ts";
import { type Step, targetsOf } from "./step.ts";

/**
 * Puts the constraints into an order in which each computes its only unknown wire, or checks wires that are known.
 * Where none of them determines a wire, its shape has to say what the circuit assigned to it (hints.ts). Each constraint
 * is used, so wires for which all steps succeed satisfy all constraints.
 *
 * @param inputs wires known from the start
 * @param nameOf names a wire in an error
 * @throws naming the wires that nothing determines
 */
export function solve(constraints: readonly Constraint[], inputs: number[], nameOf: (wire: number) => string): Step[] {
  return new Solver(constraints).run(inputs, nameOf);
}

class Solver {
  private readonly steps: Step[] = [];
  private readonly known = new Set<number>();
  private readonly wires: number[][];
  /** How many wires of each constraint are not known. */
  private readonly missing: number[];
  private readonly occurrences = new Map<number, number[]>();
  /** The constraint that makes a wire 0 or 1. */
  private readonly booleans = new Map<number, number>();
  private readonly open: Set<number>;
  /** Constraints with at most one unknown wire, in the order they became so. */
  private readonly ready: number[] = [];

  constructor(private readonly constraints: readonly Constraint[]) {
    this.wires = constraints.map(wiresOf);
    this.missing = this.wires.map(({ length }) => length);
    this.open = new Set(constraints.keys());
    for (const [index, wires] of this.wires.entries()) {
      for (const wire of wires) {
        const found = this.occurrences.get(wire);
        if (found) found.push(index);
        else this.occurrences.set(wire, [index]);
      }
      const wire = booleanOf(constraints[index] as Constraint);
      if (wire !== undefined) this.booleans.set(wire, index);
      if (wires.length <= 1) this.ready.push(index);
    }
  }

  run(inputs: number[], nameOf: (wire: number) => string): Step[] {
    for (const wire of inputs) this.learn(wire);
    do this.propagate();
    while (this.hint());
    const unknown = [...this.occurrences.keys()].filter((wire) => !this.known.has(wire));
    if (unknown.length > 0) {
      const names = unknown.slice(0, 3).map(nameOf).join(", ");
      throw new Error(
        `No constraint determines ${names}: see circuits/derive/hints.ts for what may be assigned freely.`,
      );
    }
    return this.steps;
  }

  private learn(wire: number): void {
    if (this.known.has(wire)) return;
    this.known.add(wire);
    for (const index of this.occurrences.get(wire) ?? []) {
      const left = (this.missing[index] as number) - 1;
      this.missing[index] = left;
      if (left <= 1) this.ready.push(index);
    }
  }

  private propagate(): void {
    for (let at = 0; at < this.ready.length; at++) this.use(this.ready[at] as number);
    this.ready.length = 0;
  }

  private use(index: number): void {
    if (!this.open.has(index)) return;
    const { a, b, sum } = this.constraints[index] as Constraint;
    const wire = this.wires[index]?.find((one) => !this.known.has(one));
    if (wire === undefined) {
      this.open.delete(index);
      this.steps.push({ kind: "check", a, b, sum });
    } else if (!a.has(wire) && !b.has(wire)) {
      this.open.delete(index);
      const k = mod(-inverse(sum.get(wire) as bigint));
      const rest = times(without(sum, wire), k);
      if (a.size === 0) this.take({ kind: "sum", target: wire, sum: rest });
      else this.take({ kind: "product", target: wire, a: times(a, k), b, sum: rest });
    }
  }

  private take(step: Step): void {
    this.steps.push(step);
    for (const wire of targetsOf(step)) this.learn(wire);
  }

  /** Takes the first hint there is. */
  private hint(): boolean {
    const isKnown = (wire: number) => this.known.has(wire);
    for (const index of this.open) {
      const step = bitsHint(this.constraints[index] as Constraint, isKnown, (wire) => this.booleans.has(wire));
      if (step === undefined) continue;
      // The step refuses what does not fit: both the sum and that each bit is one hold by construction.
      for (const used of [index, ...step.targets.map((wire) => this.booleans.get(wire) as number)])
        this.open.delete(used);
      this.take(step);
      return true;
    }
    for (const index of this.open) {
      const step = inverseHint(this.constraints[index] as Constraint, isKnown, (wire) =>
        (this.occurrences.get(wire) ?? []).map((one) => this.constraints[one] as Constraint),
      );
      if (step === undefined) continue;
      this.take(step);
      return true;
    }
    return false;
  }
}
