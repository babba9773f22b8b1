import { AffineBatch } from "./affine-batch";
import { type CurveGroup, POINT_BYTES } from "./group";
import type { Kernel } from "./kernel";

/** Pointers to points (see AffineBatch), grouped by bucket: bucket b holds `counts[b]` of them, from `starts[b]`. */
export interface Buckets {
  starts: Int32Array;
  counts: Int32Array;
  pointers: Int32Array;
}

/** Calls `put` with every pointer and its bucket. It is called twice and must behave the same both times. */
type Distribution = (put: (bucket: number, pointer: number) => void) => void;

export function fillBuckets(count: number, distribute: Distribution): Buckets {
  const counts = new Int32Array(count);
  distribute((bucket) => {
    counts[bucket] = (counts[bucket] as number) + 1;
  });
  const buckets = emptyBuckets(counts);
  const next = buckets.starts.slice();
  distribute((bucket, pointer) => {
    const at = next[bucket] as number;
    buckets.pointers[at] = pointer;
    next[bucket] = at + 1;
  });
  return buckets;
}

/** Allocates space for the given number of pointers in each bucket. */
export function emptyBuckets(counts: Int32Array): Buckets {
  const starts = new Int32Array(counts.length);
  let total = 0;
  counts.forEach((count, bucket) => {
    starts[bucket] = total;
    total += count;
  });
  return { starts, counts, pointers: new Int32Array(total) };
}

/**
 * Sums each bucket until it holds at most one pointer. Each round halves all buckets together. The input points stay
 * unchanged; sums go to newly allocated memory.
 */
export function sumBuckets(kernel: Kernel, group: CurveGroup, { starts, counts, pointers }: Buckets): void {
  const size = POINT_BYTES[group];
  let pairs = 0;
  for (const count of counts) pairs += count >> 1;
  const room = kernel.alloc(pairs * size);
  let free = room;
  const mark = kernel.mark();
  const batch = new AffineBatch(kernel, group);
  const infinite = new Set<number>();
  const onInfinity = (out: number) => infinite.add(out);
  for (let most = 2; most > 1; ) {
    most = 0;
    for (let bucket = 0; bucket < counts.length; bucket++) {
      const count = counts[bucket] as number;
      if (count < 2) {
        continue;
      }
      let at = starts[bucket] as number;
      let to = at;
      for (const end = at + (count & ~1); at < end; at += 2) {
        const left = pointers[at] as number;
        const right = pointers[at + 1] as number;
        // A sum of an earlier round is not needed again, so this sum can overwrite it.
        const out = left >= room ? left : right >= room ? right : free;
        if (out === free) free += size;
        batch.add(left, right, out, onInfinity);
        pointers[to++] = out;
      }
      if (count & 1) pointers[to++] = pointers[at] as number;
      const rest = (count + 1) >> 1;
      counts[bucket] = rest;
      if (rest > most) most = rest;
    }
    batch.flush(onInfinity);
    if (infinite.size > 0) dropInfinite({ starts, counts, pointers }, infinite);
  }
  kernel.release(mark);
}

function dropInfinite({ starts, counts, pointers }: Buckets, infinite: Set<number>): void {
  counts.forEach((count, bucket) => {
    const start = starts[bucket] as number;
    const kept = pointers.subarray(start, start + count).filter((pointer) => !infinite.has(pointer));
    pointers.set(kept, start);
    counts[bucket] = kept.length;
  });
  infinite.clear();
}
