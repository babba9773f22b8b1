import { mod } from "../witness/field.ts";
import { constantOf, type Linear, ONE, plus, substitute, times, ZERO } from "./linear.ts";

/** `a · b + sum = 0`. In a linear constraint, a and b are zero. */
export interface Constraint {
  a: Linear;
  b: Linear;
  sum: Linear;
}

/** The constraint `a · b = c`. */
export function constraint(a: Linear, b: Linear, c: Linear): Constraint {
  return normal({ a, b, sum: times(c, -1n) });
}

/** The wires of a constraint but the constant, each once. */
export function wiresOf({ a, b, sum }: Constraint): number[] {
  return [...new Set([...a.keys(), ...b.keys(), ...sum.keys()])].filter((wire) => wire !== ONE);
}

/** The constraint with each wire replaced by what it stands for. */
export function rewrite({ a, b, sum }: Constraint, standFor: (wire: number) => Linear | undefined): Constraint {
  return normal({ a: substitute(a, standFor), b: substitute(b, standFor), sum: substitute(sum, standFor) });
}

/** The wire that the constraint allows the values 0 and 1 and no other, if it is such a constraint. */
export function booleanOf(one: Constraint): number | undefined {
  const [wire, ...others] = wiresOf(one);
  if (wire === undefined || others.length > 0) return undefined;
  const at = (linear: Linear, value: bigint) => (linear.get(ONE) ?? 0n) + (linear.get(wire) ?? 0n) * value;
  const zeroAt = (value: bigint) => mod(at(one.a, value) * at(one.b, value) + at(one.sum, value)) === 0n;
  return one.a.has(wire) && one.b.has(wire) && zeroAt(0n) && zeroAt(1n) ? wire : undefined;
}

function normal({ a, b, sum }: Constraint): Constraint {
  const [constantA, constantB] = [constantOf(a), constantOf(b)];
  if (constantA !== undefined) return { a: ZERO, b: ZERO, sum: plus(sum, b, constantA) };
  if (constantB !== undefined) return { a: ZERO, b: ZERO, sum: plus(sum, a, constantB) };
  return { a, b, sum };
}
