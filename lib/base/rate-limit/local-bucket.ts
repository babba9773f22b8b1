/** What this process knows about one shared bucket. Times are from `performance.now()`, in milliseconds. */
export interface LocalBucket {
  /** Tokens leased and not spent yet. */
  tokens: number;
  /** When the leased tokens expire. */
  lapsesAt: number;
  /** When the shared bucket will be full, according to its last response. */
  fullAt: number;
  /** The bucket is empty until then; don't query it before. */
  emptyUntil: number;
  /** The pending query, if there is one. */
  asking?: Promise<void>;
  /** How many requests wait for that query. */
  waiting: number;
}

interface Buckets {
  known: Map<string, LocalBucket>;
  /** Number of buckets at which idle ones are removed. */
  crowded: number;
}

const CROWDED = 5_000;

// Next.js bundles routes separately, so a module variable would give one set per bundle. A global gives one per
// process.
const shared = globalThis as typeof globalThis & { halcyonBuckets?: Buckets };

/** Returns the process's record of a bucket, creating it at first use. */
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
