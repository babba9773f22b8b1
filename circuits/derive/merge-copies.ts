import { R } from "../witness/field.ts";
import { type Constraint, rewrite, wiresOf } from "./constraint.ts";
import { type Linear, ONE } from "./linear.ts";

export interface Merged {
  constraints: Constraint[];
  /** The wire that stands for a wire and all its copies. */
  original: (wire: number) => number;
}

/**
 * Drops constraints that say no more than that two signals are equal, and makes one wire stand for both. Inputs stay
 * apart: that two of them are equal is a statement about them.
 *
 * @param firstFree the wires below it are the constant and the inputs
 */
export function mergeCopies(constraints: readonly Constraint[], firstFree: number): Merged {
  const originals = new Map<number, number>();
  const original = (wire: number): number => {
    let found = wire;
    for (let next = originals.get(found); next !== undefined; next = originals.get(found)) found = next;
    return found;
  };
  const kept = constraints.filter((one) => {
    const pair = copiesOf(one);
    if (pair === undefined) return true;
    const [first = 0, second = 0] = pair.map(original).sort((x, y) => x - y);
    if (second < firstFree && first !== second) return true;
    if (first !== second) originals.set(second, first);
    return false;
  });
  const standFor = (wire: number): Linear | undefined => {
    const found = original(wire);
    return found === wire ? undefined : new Map([[found, 1n]]);
  };
  return { constraints: kept.map((one) => rewrite(one, standFor)), original };
}

/** The two wires of `k·x − k·y = 0`. */
function copiesOf(one: Constraint): [number, number] | undefined {
  const [x, y, ...others] = wiresOf(one);
  if (x === undefined || y === undefined || others.length > 0) return undefined;
  if (one.a.size > 0 || one.sum.has(ONE)) return undefined;
  return isNegative(one.sum.get(x), one.sum.get(y)) ? [x, y] : undefined;
}

function isNegative(x = 0n, y = 0n): boolean {
  return x !== 0n && x + y === R;
}
