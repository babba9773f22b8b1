import { inverse, mod } from "../witness/field.ts";

/** A linear combination of wires: the coefficient of each, in [1, r). Wire 0 is the constant 1. */
export type Linear = ReadonlyMap<number, bigint>;

export const ZERO: Linear = new Map();
/** The wire of the constant 1. */
export const ONE = 0;

/** a + k·b */
export function plus(a: Linear, b: Linear, k = 1n): Linear {
  const sum = new Map(a);
  for (const [wire, coefficient] of b) addTerm(sum, wire, k * coefficient);
  return sum;
}

export function times(a: Linear, k: bigint): Linear {
  return plus(ZERO, a, k);
}

/** The sum without one wire's term. */
export function without(a: Linear, wire: number): Linear {
  const rest = new Map(a);
  rest.delete(wire);
  return rest;
}

/** With each wire replaced by what it stands for. */
export function substitute(a: Linear, standFor: (wire: number) => Linear | undefined): Linear {
  const sum = new Map<number, bigint>();
  for (const [wire, k] of a) {
    const other = standFor(wire);
    if (other === undefined) addTerm(sum, wire, k);
    else for (const [one, coefficient] of other) addTerm(sum, one, k * coefficient);
  }
  return sum;
}

/** Its value when it has no wire but the constant, else undefined. */
export function constantOf(a: Linear): bigint | undefined {
  if (a.size === 0) return 0n;
  return a.size === 1 ? a.get(ONE) : undefined;
}

/** k with a = k·b, or undefined. Zero is no multiple. */
export function ratio(a: Linear, b: Linear): bigint | undefined {
  if (a.size !== b.size || a.size === 0) return undefined;
  let k: bigint | undefined;
  for (const [wire, coefficient] of a) {
    const other = b.get(wire);
    if (other === undefined) return undefined;
    k ??= mod(coefficient * inverse(other));
    if (mod(k * other) !== coefficient) return undefined;
  }
  return k;
}

function addTerm(sum: Map<number, bigint>, wire: number, coefficient: bigint): void {
  const value = mod((sum.get(wire) ?? 0n) + coefficient);
  if (value === 0n) sum.delete(wire);
  else sum.set(wire, value);
}
