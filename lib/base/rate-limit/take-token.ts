import { leaseTokens } from "./lease-tokens";
import { type LocalBucket, localBucket } from "./local-bucket";
import type { LimitPolicy } from "./policy";

/** How long a process may keep leased tokens. */
const LEASE_MS = 10_000;

/** The state of a bucket after a request, as the `RateLimit` header reports it. */
export interface BucketState {
  policy: LimitPolicy;
  allowed: boolean;
  /** Tokens left, as far as this process knows. */
  remaining: number;
  /** Seconds until the bucket is full if no more tokens are taken. */
  resetSeconds: number;
  /** Seconds after which a refused request may succeed; 0 if it was allowed. */
  retrySeconds: number;
}

/** A bucket's name and limit. */
export interface WantedTokens {
  name: string;
  policy: LimitPolicy;
}

/** Takes one token from a bucket for a request, or refuses the request; see {@link takeTokens}. */
export async function takeToken(name: string, policy: LimitPolicy): Promise<BucketState> {
  const [standing] = await takeTokens([{ name, policy }]);
  return standing as BucketState;
}

/**
 * Takes one token from each of one or two buckets for a request. If one of them is empty, takes none and refuses the
 * request.
 *
 * A bucket is a row that all processes share. Each process leases `policy.slice` tokens at a time (or as many as
 * requests are waiting) and spends them from memory within ten seconds, so most requests cost no statement. If both
 * buckets need a lease, as those of a key and its account often do, one statement serves both. Requests that arrive
 * during the statement wait for its result.
 *
 * Accuracy: no token is spent that the row has not granted, so over any long period the row's rate holds exactly.
 * Within a short window, requests beyond quota and rate may pass on tokens that were leased before the window: at most
 * `slice - 1` per process. Conversely, leased tokens that expire unspent are lost to the key: at most `slice - 1` per
 * process in ten seconds. An address's bucket has a slice of 1, so neither happens.
 *
 * @returns the state of each bucket, or only of the first one that refuses
 */
export async function takeTokens(wanted: readonly WantedTokens[]): Promise<BucketState[]> {
  const started = performance.now();
  const all = wanted.map(({ name, policy }) => ({ name, policy, bucket: localBucket(name, started) }));
  for (;;) {
    const now = performance.now();
    const spent = all.filter(({ bucket }) => bucket.tokens === 0 || now >= bucket.lapsesAt);
    if (spent.length === 0) {
      return all.map(({ policy, bucket }) => {
        bucket.tokens--;
        return standing(policy, bucket, now, true);
      });
    }
    const empty = spent.find(({ bucket }) => now < bucket.emptyUntil);
    if (empty) return [standing(empty.policy, empty.bucket, now, false)];
    for (const { bucket } of spent) bucket.waiting++;
    try {
      const [first, second] = spent.filter(({ bucket }) => !bucket.asking);
      if (first) {
        const asking = ask(second ? [first, second] : [first]);
        for (const { bucket } of second ? [first, second] : [first]) bucket.asking = asking;
      }
      await Promise.all(spent.map(({ bucket }) => bucket.asking));
    } finally {
      for (const { bucket } of spent) bucket.waiting--;
    }
  }
}

/**
 * Returns the state of the first bucket that this process already knows to be empty, without a query; undefined if
 * there is none.
 */
export function knownEmpty(wanted: readonly WantedTokens[]): BucketState | undefined {
  const now = performance.now();
  for (const { name, policy } of wanted) {
    const bucket = localBucket(name, now);
    const isSpent = bucket.tokens === 0 || now >= bucket.lapsesAt;
    if (isSpent && now < bucket.emptyUntil) return standing(policy, bucket, now, false);
  }
  return undefined;
}

interface Asked extends WantedTokens {
  bucket: LocalBucket;
}

async function ask(asked: [Asked] | [Asked, Asked]): Promise<void> {
  try {
    // Requests that arrive in the same turn of the event loop share one statement.
    await Promise.resolve();
    const request = ({ name, policy, bucket }: Asked) => {
      return { bucket: name, policy, want: Math.max(policy.slice, bucket.waiting) };
    };
    const [first, second] = asked;
    const leases = await leaseTokens(second ? [request(first), request(second)] : [request(first)]);
    const now = performance.now();
    leases.forEach(({ granted, fullInSeconds }, at) => {
      const { bucket, policy } = asked[at] as Asked;
      bucket.tokens = granted;
      bucket.lapsesAt = now + LEASE_MS;
      bucket.fullAt = now + fullInSeconds * 1000;
      // The bucket is empty. Wait until half a slice is refilled, so that a flood does not query for every single
      // token.
      bucket.emptyUntil = granted > 0 ? 0 : bucket.fullAt - 1000 * (policy.seconds - refill(policy));
    });
  } finally {
    for (const { bucket } of asked) bucket.asking = undefined;
  }
}

/** Returns the seconds in which half a slice, at least one token, is refilled. */
function refill({ quota, seconds, slice }: LimitPolicy): number {
  return (Math.ceil(slice / 2) * seconds) / quota;
}

function standing(policy: LimitPolicy, bucket: LocalBucket, now: number, allowed: boolean): BucketState {
  const { quota, seconds } = policy;
  const owed = Math.max(0, bucket.fullAt - now) / 1000;
  const shared = Math.max(0, Math.floor(quota * (1 - owed / seconds) + 1e-6));
  return {
    policy,
    allowed,
    remaining: allowed ? Math.min(quota - 1, shared + bucket.tokens) : 0,
    resetSeconds: Math.ceil(owed),
    retrySeconds: allowed ? 0 : Math.max(1, Math.ceil((bucket.emptyUntil - now) / 1000)),
  };
}
