import { NEGATIVE } from "./affine-code";
import type { Bases } from "./bases";
import { type Buckets, emptyBuckets, fillBuckets, sumBuckets } from "./buckets";
import type { Windows } from "./digits";
import { type CurveGroup, POINT_BYTES } from "./group";
import type { Kernel } from "./kernel";

/**
 * One term of a multi-exponentiation: bases, and the digits of all scalars. `bases` says which scalars belong to them.
 * Terms with the same `sum` are added together.
 */
interface Term {
  bases: Bases;
  digits: Int16Array;
  sum: number;
}

/**
 * Computes sums of scalar times base with Pippenger's bucket method (Bernstein, Doumen, Lange, Oosterwijk: "Faster
 * batch forgery identification", eprint 2012/549, section 4), in affine coordinates throughout. All sums go through the
 * same rounds of additions and so share their inversions.
 *
 * @returns for each sum and bit, a pointer to a point (possibly with `NEGATIVE` set), or 0: the sum is Σ 2^bit · point
 */
export function multiExp(
  kernel: Kernel,
  group: CurveGroup,
  windows: Windows,
  sums: number,
  terms: readonly Term[],
): Int32Array[] {
  const { bits, count, tables } = windows;
  const half = 1 << (bits - 1);
  // With tables all windows share one set of buckets; without, each window has its own.
  const sets = tables ? 1 : count;
  const size = POINT_BYTES[group];
  const counts = new Int32Array(sums * sets * half);
  for (const { bases, digits, sum } of terms) {
    for (const scalar of bases.scalarIndex) {
      for (let window = 0, set = sum * sets; window < count; window++, set += tables ? 0 : 1) {
        const digit = digits[scalar * count + window] as number;
        if (digit === 0) continue;
        const bucket = set * half + (digit < 0 ? -digit : digit) - 1;
        counts[bucket] = (counts[bucket] as number) + 1;
      }
    }
  }
  const byDigit = emptyBuckets(counts);
  const next = byDigit.starts.slice();
  for (const { bases, digits, sum } of terms) {
    const { scalarIndex, points, rowBytes } = bases;
    for (let i = 0; i < scalarIndex.length; i++) {
      const first = (scalarIndex[i] as number) * count;
      let pointer = points + i * size;
      for (let window = 0, set = sum * sets; window < count; window++, set += tables ? 0 : 1) {
        const digit = digits[first + window] as number;
        if (digit !== 0) {
          const bucket = set * half + (digit < 0 ? -digit : digit) - 1;
          const at = next[bucket] as number;
          next[bucket] = at + 1;
          byDigit.pointers[at] = digit < 0 ? pointer | NEGATIVE : pointer;
        }
        if (tables) pointer += rowBytes;
      }
    }
  }
  sumBuckets(kernel, group, byDigit);
  const byBit = weigh(kernel, group, byDigit, sums * sets, bits);
  return Array.from({ length: sums }, (_, sum) => byBit.subarray(sum * sets * bits, (sum + 1) * sets * bits));
}

/**
 * Computes Σ digit · bucket for each set, as points by bit. A digit is split into a high and a low part. Buckets are
 * summed by each part, and those sums by the part's bits. This takes about 2.3 additions per bucket, all of them
 * batched.
 */
function weigh(kernel: Kernel, group: CurveGroup, buckets: Buckets, sets: number, bits: number): Int32Array {
  const half = 1 << (bits - 1);
  const lowBits = bits >> 1;
  const lowSize = 1 << lowBits;
  const parts = lowSize + (half >> lowBits) + 1;
  const byPart = fillBuckets(sets * parts, (put) => {
    for (let set = 0; set < sets; set++) {
      for (let digit = 1; digit <= half; digit++) {
        const bucket = set * half + digit - 1;
        if (buckets.counts[bucket] === 0) continue;
        const pointer = buckets.pointers[buckets.starts[bucket] as number] as number;
        const low = digit & (lowSize - 1);
        const high = digit >> lowBits;
        if (low > 0) put(set * parts + low, pointer);
        if (high > 0) put(set * parts + lowSize + high, pointer);
      }
    }
  });
  sumBuckets(kernel, group, byPart);
  const byBit = fillBuckets(sets * bits, (put) => {
    for (let set = 0; set < sets; set++) {
      for (let part = 1; part < parts; part++) {
        const bucket = set * parts + part;
        if (byPart.counts[bucket] === 0) continue;
        const pointer = byPart.pointers[byPart.starts[bucket] as number] as number;
        const weight = part < lowSize ? part : (part - lowSize) << lowBits;
        for (let bit = 0; bit < bits; bit++) if ((weight >> bit) & 1) put(set * bits + bit, pointer);
      }
    }
  });
  sumBuckets(kernel, group, byBit);
  return byBit.counts.map((count, bucket) =>
    count === 0 ? 0 : (byBit.pointers[byBit.starts[bucket] as number] as number),
  );
}
