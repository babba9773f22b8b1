import type { AddressLimit } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { addressBucket } from "@/lib/rate-limit/address-bucket";
import { addressPolicy, keyPolicy } from "@/lib/rate-limit/policy";
import { type Standing, takeToken } from "@/lib/rate-limit/take-token";
import { count } from "@/lib/telemetry/record";

/** Headers that tell a caller how a limit stands; filled while a request is served, sent with whatever answers it. */
export type LimitHeaders = Record<string, string>;

/** Counts a request of an API key. @throws ApiError `rate_limited` */
export async function limitKey(keyId: string, headers: LimitHeaders): Promise<void> {
  const policy = keyPolicy();
  if (policy) admit(await takeToken(`key:${keyId}`, policy), headers);
}

/** Counts what a client address does. @throws ApiError `rate_limited` */
export async function limitAddress(limit: AddressLimit, address: string | null, headers: LimitHeaders): Promise<void> {
  admit(await takeToken(addressBucket(limit, address), addressPolicy(limit)), headers);
}

/** A key nobody has, and one that is used from where its owner said it never is. */
const REFUSED_KEYS: ReadonlySet<string> = new Set(["unauthorized", "key_forbidden"]);

/**
 * Counts an API key that failed, so that keys cannot be tried at any speed. A key that is good is never refused for
 * what others at its address did.
 *
 * @returns what to answer: the refusal it was, or `rate_limited`
 */
export async function afterFailedKey(thrown: unknown, address: string | null, headers: LimitHeaders): Promise<unknown> {
  if (!(thrown instanceof ApiError) || !REFUSED_KEYS.has(thrown.code)) return thrown;
  const spent: LimitHeaders = {};
  try {
    await limitAddress("failed_keys", address, spent);
    return thrown;
  } catch (refusal) {
    Object.assign(headers, spent);
    return refusal;
  }
}

function admit(standing: Standing, headers: LimitHeaders): void {
  Object.assign(headers, limitHeaders(standing));
  if (standing.allowed) return;
  count("halcyon.rate_limit.refusals", { policy: standing.policy.name });
  throw new ApiError("rate_limited", "Too many requests. Wait as long as Retry-After says, then go on more slowly.", {
    retryAfter: standing.retrySeconds,
  });
}

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers): quota and window, what is left of it. */
export function limitHeaders({ policy, remaining, resetSeconds }: Standing): LimitHeaders {
  const { name, quota, seconds } = policy;
  return {
    "ratelimit-policy": `"${name}";q=${quota};w=${Math.max(1, Math.ceil(seconds))}`,
    ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
}
