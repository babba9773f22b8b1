import { inverse, mod } from "../witness/field.ts";
import type { Window } from "./vectors.ts";

/** The opening of a packed available balance commitment. */
export interface Opening extends Window {
  limit: bigint;
}

/** Where the honest opening of every commitment here lies. */
export const OPENING: Opening = { limit: 1000n, spent: 40n, day: 20000n };

/**
 * Other openings of the very same packed number, each with the template whose range check refuses it. The last one
 * needs no unit of what was spent: a day beyond all bounds pays for any limit.
 */
export const SECOND_SPLITS: [title: string, split: Opening, template: string][] = [
  ["a unit of what was spent as 2^64 of the limit", { ...OPENING, limit: 1000n + 2n ** 64n, spent: 39n }, "Range64"],
  [
    "2^64 less of the limit as a unit of what was spent",
    { ...OPENING, limit: mod(1000n - 2n ** 64n), spent: 41n },
    "Range64",
  ],
  ["a day as 2^64 of what was spent", { ...OPENING, spent: 40n + 2n ** 64n, day: 19999n }, "Range64"],
  [
    "what was spent, forgotten for a day beyond 2^32",
    { ...OPENING, spent: 0n, day: dayFor(40n * 2n ** 64n) },
    "Range32",
  ],
  [
    "a limit a thousand times larger for a day beyond 2^32",
    { ...OPENING, limit: 1000000n, day: dayFor(-999000n) },
    "Range32",
  ],
];

/** The day that takes up `rest` of the packed number. */
function dayFor(rest: bigint): bigint {
  return mod(OPENING.day + rest * inverse(2n ** 128n));
}
