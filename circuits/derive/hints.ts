import { inverse, mod } from "../witness/field.ts";
import { MOST_BITS } from "../witness/program.ts";
import type { Constraint } from "./constraint.ts";
import { constantOf, type Linear, ONE, ratio, times, without } from "./linear.ts";
import type { Step } from "./step.ts";

/*
 * What a circuit may assign with `<--`, which leaves no constraint that yields the value. The constraints around it say
 * which of the two it is, so templates and signals may have any name.
 */

type Bits = Extract<Step, { kind: "bits" }>;

/**
 * Bits of a number: unknown wires that other constraints make 0 or 1, and this linear one, in which they have the
 * factors k, 2k, 4k …
 */
export function bitsHint(
  { a, sum }: Constraint,
  isKnown: (wire: number) => boolean,
  isBoolean: (wire: number) => boolean,
): Bits | undefined {
  if (a.size > 0) return undefined;
  const unknown = [...sum.keys()].filter((wire) => wire !== ONE && !isKnown(wire));
  if (unknown.length === 0 || unknown.length > MOST_BITS || !unknown.every(isBoolean)) return undefined;
  const byFactor = new Map(unknown.map((wire) => [sum.get(wire) as bigint, wire]));
  const half = inverse(2n);
  const lowest = [...byFactor.keys()].filter((factor) => !byFactor.has(mod(factor * half)));
  const [least = 0n] = lowest;
  const targets: number[] = [];
  for (let factor = least, wire = byFactor.get(factor); wire !== undefined; wire = byFactor.get(factor)) {
    targets.push(wire);
    factor = mod(2n * factor);
  }
  if (lowest.length !== 1 || targets.length !== unknown.length) return undefined;
  const known = unknown.reduce(without, sum);
  return { kind: "bits", targets, sum: times(known, -inverse(least)) };
}

/**
 * An inverse, in one of two shapes, where a is known and k is a constant but 0: `a · inverse = k`, which says that a is
 * not 0, or `a · inverse = k − c · zero` with `a · zero = 0`, which says whether it is 0. Of 0 the inverse is 0.
 */
export function inverseHint(
  one: Constraint,
  isKnown: (wire: number) => boolean,
  constraintsOf: (wire: number) => readonly Constraint[],
): Step | undefined {
  for (const [of, other] of [
    [one.a, one.b],
    [one.b, one.a],
  ] as const) {
    const [wire, ...more] = [...other.keys()];
    if (wire === undefined || wire === ONE || more.length > 0 || isKnown(wire)) continue;
    if (one.sum.has(wire) || ![...of.keys()].every((term) => term === ONE || isKnown(term))) continue;
    const [zero, ...others] = [...one.sum.keys()].filter((term) => term !== ONE);
    const k = constantOf(zero === undefined ? one.sum : without(one.sum, zero));
    if (k === undefined || k === 0n || others.length > 0) continue;
    if (zero !== undefined && !constraintsOf(zero).some((second) => saysOneIsZero(second, of, zero))) continue;
    return { kind: "inverse", target: wire, sum: times(of, -inverse(k) * (other.get(wire) as bigint)) };
  }
  return undefined;
}

/** The constraint is `a · zero = 0`, or a multiple of it. */
function saysOneIsZero({ a, b, sum }: Constraint, of: Linear, zero: number): boolean {
  const isZero = (linear: Linear) => linear.size === 1 && linear.has(zero);
  return sum.size === 0 && ((isZero(b) && ratio(a, of) !== undefined) || (isZero(a) && ratio(b, of) !== undefined));
}
