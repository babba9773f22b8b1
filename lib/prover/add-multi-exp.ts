import { type Bases, GROUPS, type Group, type Windows } from "./bases";
import type { Bn254 } from "./bn254";
import { FIELD_BYTES } from "./sizes";
import { sumBuckets } from "./sum-buckets";

/** Bases and where their scalars lie: 32 bytes little endian each, below r. */
interface Term {
  bases: Bases;
  scalars: number;
}

const WORDS = FIELD_BYTES / 4;

/**
 * Signed digits of a scalar, lowest first, each of (−2^(bits−1), 2^(bits−1)], at `out` from `at` on. Most wires of a
 * range check are 0 or 1: they have no digit or one.
 */
function writeDigits(words: Uint32Array, first: number, { bits, windows }: Windows, out: Int16Array, at: number): void {
  const mask = (1 << bits) - 1;
  const half = 1 << (bits - 1);
  let carry = 0;
  for (let window = 0; window < windows; window++) {
    const position = window * bits;
    const word = position >> 5;
    const shift = position & 31;
    let digit = (words[first + word] ?? 0) >>> shift;
    if (shift + bits > 32 && word + 1 < WORDS) digit |= (words[first + word + 1] ?? 0) << (32 - shift);
    digit = (digit & mask) + carry;
    carry = digit > half ? 1 : 0;
    out[at + window] = carry ? digit - mask - 1 : digit;
  }
}

/** The digits of all terms' scalars, base by base. */
function allDigits(curve: Bn254, terms: readonly Term[], windows: Windows): Int16Array {
  const count = terms.reduce((sum, { bases }) => sum + bases.count, 0);
  const digits = new Int16Array(count * windows.windows);
  const words = new Uint32Array(curve.bytes().buffer);
  let at = 0;
  for (const { bases, scalars } of terms) {
    for (let i = 0; i < bases.count; i++, at += windows.windows) {
      writeDigits(words, scalars / 4 + (bases.scalarIndex[i] ?? 0) * WORDS, windows, digits, at);
    }
  }
  return digits;
}

/**
 * Adds the sum over all terms of scalar times base to the Jacobian point at `result`, by Pippenger's bucket method
 * with signed digits. All terms are of one group and were loaded for these windows.
 */
export function addMultiExp(
  curve: Bn254,
  group: Group,
  windows: Windows,
  terms: readonly Term[],
  result: number,
): void {
  const { prefix, affine } = GROUPS[group];
  const mark = curve.mark();
  const half = 1 << (windows.bits - 1);
  // With tables every window shares one set of buckets, else each has its own.
  const sets = windows.tables ? 1 : windows.windows;
  const digits = allDigits(curve, terms, windows);
  const bucketOf = (digit: number, window: number) => (sets === 1 ? 0 : window * half) + Math.abs(digit) - 1;

  const counts = new Int32Array(sets * half);
  digits.forEach((digit, i) => {
    if (digit !== 0) {
      const bucket = bucketOf(digit, i % windows.windows);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
  });
  const starts = new Int32Array(counts.length);
  let total = 0;
  counts.forEach((count, bucket) => {
    starts[bucket] = total;
    total += count;
  });

  const row = { points: curve.alloc(total * affine), starts, counts };
  const next = starts.slice();
  const copy = curve.fn(`${prefix}_copyAffine`);
  const negate = curve.fn(`${prefix}_negAffine`);
  let at = 0;
  for (const { bases } of terms) {
    for (let i = 0; i < bases.count; i++) {
      for (let window = 0; window < windows.windows; window++, at++) {
        const digit = digits[at] ?? 0;
        if (digit === 0) continue;
        const bucket = bucketOf(digit, window);
        const slot = next[bucket] ?? 0;
        next[bucket] = slot + 1;
        const base = bases.points + ((windows.tables ? window * bases.count : 0) + i) * affine;
        (digit > 0 ? copy : negate)(base, row.points + slot * affine);
      }
    }
  }
  sumBuckets(curve, group, row);
  weighBuckets(curve, group, windows, sets, row, result);
  curve.release(mark);
}

/** Adds Σ 2^(bits·set) Σ (b + 1)·bucket b, over the sets from the highest down, to `result`. */
function weighBuckets(
  curve: Bn254,
  group: Group,
  windows: Windows,
  sets: number,
  row: { points: number; starts: Int32Array; counts: Int32Array },
  result: number,
): void {
  const { prefix, affine, jacobian } = GROUPS[group];
  const [sum, running] = [curve.alloc(jacobian), curve.alloc(jacobian)];
  const [add, addMixed, double, zero] = (["add", "addMixed", "double", "zero"] as const).map((name) =>
    curve.fn(`${prefix}_${name}`),
  ) as [WasmOperation, WasmOperation, WasmOperation, WasmOperation];
  const half = 1 << (windows.bits - 1);
  zero(sum);
  for (let set = sets - 1; set >= 0; set--) {
    for (let bit = 0; set < sets - 1 && bit < windows.bits; bit++) double(sum, sum);
    zero(running);
    let empty = true;
    for (let bucket = (set + 1) * half - 1; bucket >= set * half; bucket--) {
      if (row.counts[bucket]) {
        addMixed(running, row.points + (row.starts[bucket] ?? 0) * affine, running);
        empty = false;
      }
      if (!empty) add(sum, running, sum);
    }
  }
  add(result, sum, result);
}

type WasmOperation = (...pointers: number[]) => number;
