/** What this process knows of one shared bucket. Times are those of `performance.now()`, in milliseconds. */
export interface LocalBucket {
  /** Leased and not spent. */
  tokens: number;
  /** When leased tokens lapse. */
  lapsesAt: number;
  /** When the shared bucket would be full, by its last response. */
  fullAt: number;
  /** Empty until then: nothing is asked before. */
  emptyUntil: number;
  /** The statement under way. */
  asking?: Promise<void>;
  /** Requests that wait for it. */
  waiting: number;
}

interface Buckets {
  known: Map<string, LocalBucket>;
  /** Size at which the idle are dropped. */
  crowded: number;
}

const CROWDED = 5_000;

// Next bundles routes separately: one set per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & { halcyonBuckets?: Buckets };

/** The process's view of a bucket, made at first sight. */
export function localBucket(name: string, now: number): LocalBucket {
  shared.halcyonBuckets ??= { known: new Map(), crowded: CROWDED };
  const { known } = shared.halcyonBuckets;
  let bucket = known.get(name);
  if (!bucket) {
    if (known.size >= shared.halcyonBuckets.crowded) dropIdle(shared.halcyonBuckets, now);
    bucket = { tokens: 0, lapsesAt: 0, fullAt: now, emptyUntil: 0, waiting: 0 };
    known.set(name, bucket);
  }
  return bucket;
}

function dropIdle(buckets: Buckets, now: number): void {
  for (const [name, { lapsesAt, emptyUntil, waiting }] of buckets.known) {
    if (lapsesAt < now && emptyUntil < now && waiting === 0) buckets.known.delete(name);
  }
  buckets.crowded = Math.max(CROWDED, 2 * buckets.known.size);
}
