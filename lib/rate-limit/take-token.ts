import { leaseTokens } from "./lease-tokens";
import { type LocalBucket, localBucket } from "./local-bucket";
import type { LimitPolicy } from "./policy";

/** How long a process may keep tokens it has not spent. */
const LEASE_MS = 10_000;

/** How a bucket stands after a request: what `RateLimit` says of it. */
export interface Standing {
  policy: LimitPolicy;
  allowed: boolean;
  /** Tokens left, as far as this process knows. */
  remaining: number;
  /** Seconds until the bucket is full, if nothing more is taken. */
  resetSeconds: number;
  /** Seconds after which a refused request may succeed; 0 when allowed. */
  retrySeconds: number;
}

/** A bucket by its name, and how much it takes. */
export interface Wanted {
  name: string;
  policy: LimitPolicy;
}

/** Takes one token for a request out of one bucket, or refuses it: see {@link takeTokens}. */
export async function takeToken(name: string, policy: LimitPolicy): Promise<Standing> {
  const [standing] = await takeTokens([{ name, policy }]);
  return standing as Standing;
}

/**
 * Takes one token for a request out of each of one or two buckets, or refuses it: then it takes none.
 *
 * A bucket is a row all processes share; each leases `policy.slice` tokens at a time (or as many as requests wait
 * for) and spends them from memory within ten seconds, so that most requests cost no statement. Buckets that are both
 * spent, as those of a key and its account are again and again, cost one together. Requests that come while the row is
 * being asked wait for that one response.
 *
 * How exact it is: no token is ever spent that the row has not given, so over any time the row's rate holds exactly.
 * Within a window, as many more than quota and rate allow may pass as were leased before it began and not yet spent:
 * at most `slice - 1` for each process. In the other direction, tokens that lapse unspent are lost to the key: at most
 * `slice - 1` in ten seconds and process. An address's bucket has a slice of 1: neither happens.
 *
 * @returns how each bucket stands, or of the first one that refuses alone
 */
export async function takeTokens(wanted: readonly Wanted[]): Promise<Standing[]> {
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
 * How the first of some buckets stands that is empty, as this process knows without asking; undefined while none is.
 */
export function knownEmpty(wanted: readonly Wanted[]): Standing | undefined {
  const now = performance.now();
  for (const { name, policy } of wanted) {
    const bucket = localBucket(name, now);
    const isSpent = bucket.tokens === 0 || now >= bucket.lapsesAt;
    if (isSpent && now < bucket.emptyUntil) return standing(policy, bucket, now, false);
  }
  return undefined;
}

interface Asked extends Wanted {
  bucket: LocalBucket;
}

async function ask(asked: [Asked] | [Asked, Asked]): Promise<void> {
  try {
    // What arrives in this turn of the event loop shares one statement.
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
      // Nothing left: wait for half a slice, so that a flood does not ask for every single token.
      bucket.emptyUntil = granted > 0 ? 0 : bucket.fullAt - 1000 * (policy.seconds - refill(policy));
    });
  } finally {
    for (const { bucket } of asked) bucket.asking = undefined;
  }
}

/** Seconds in which half a slice comes back, at least one token. */
function refill({ quota, seconds, slice }: LimitPolicy): number {
  return (Math.ceil(slice / 2) * seconds) / quota;
}

function standing(policy: LimitPolicy, bucket: LocalBucket, now: number, allowed: boolean): Standing {
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
