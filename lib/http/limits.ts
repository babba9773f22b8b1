import type { IncomingHttpHeaders } from "node:http";
import { recordKeyUse } from "@/lib/accounts/usage/record-key-use";
import type { AddressLimit } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { addressBucket } from "@/lib/base/rate-limit/address-bucket";
import { accountPolicy, addressPolicy, callerPolicy } from "@/lib/base/rate-limit/policy";
import {
  type BucketState,
  knownEmpty,
  takeToken,
  takeTokens,
  type WantedTokens,
} from "@/lib/base/rate-limit/take-token";
import { count } from "@/lib/base/telemetry/record";
import { callerOfKey } from "@/lib/http/auth/authenticate-key";
import type { Caller } from "./caller";
import { callerOfSpent, forgetSpent, holdRefusal, rememberSpent } from "./spent-keys";

/** Headers that show a caller the state of a rate limit. Collected during the request and sent with its response. */
export type LimitHeaders = Record<string, string>;

/**
 * Charges more than one request for one that costs more: to the limit of its API key or session, then to that of its
 * account, which covers all its keys and sessions. The headers show the caller's own limit, or the account's if that one
 * refuses.
 *
 * @param tokens how many requests it counts as, besides the one that {@link limitRequest} has counted
 * @throws ApiError `rate_limited`
 */
export async function chargeCaller(caller: Caller, headers: LimitHeaders, tokens: number): Promise<void> {
  const buckets = bucketsOf(caller);
  if (buckets.length === 0) return;
  for (let i = 0; i < tokens; i++) {
    // The first is the caller's own, or the one that refuses.
    const [shown] = await takeTokens(buckets);
    if (shown) admit(shown, headers);
  }
}

const BUCKET = { api_key: "key", session: "session" } as const;

function bucketsOf(caller: Caller): WantedTokens[] {
  const [own, account] = [callerPolicy(caller.kind), accountPolicy()];
  const buckets: WantedTokens[] = [];
  if (own) buckets.push({ name: `${BUCKET[caller.kind]}:${caller.id}`, policy: own });
  if (account) buckets.push({ name: `account:${caller.chainId}:${caller.root}`, policy: account });
  return buckets;
}

/**
 * Counts a request as it arrives, against the same limits. A refusal is held back for a moment, and the next requests
 * with the same key are refused without the database ({@link refuseSpent}).
 *
 * @throws ApiError `rate_limited`
 */
export async function limitRequest(authorization: string | null, caller: Caller, headers: LimitHeaders): Promise<void> {
  try {
    await chargeCaller(caller, headers, 1);
  } catch (error) {
    if (error instanceof ApiError && error.code === "rate_limited") {
      if (caller.kind === "api_key" && authorization !== null) rememberSpent(authorization, caller);
      await holdRefusal("caller");
    }
    throw error;
  }
}

/**
 * Refuses a key whose limit this process knows to be used up, without reading anything for it. The key itself is looked
 * up only when it may call again. So a key that was revoked in the meantime gets this refusal for a moment longer, and
 * nothing else.
 *
 * @throws ApiError `rate_limited`
 */
export async function refuseSpent(authorization: string | null, headers: LimitHeaders): Promise<void> {
  const caller = authorization === null ? undefined : callerOfSpent(authorization);
  if (authorization === null || !caller) return;
  const empty = knownEmpty(bucketsOf(caller));
  if (!empty) return forgetSpent(authorization);
  // Counts as use of the key, so that its owner sees how often it calls.
  recordKeyUse(caller.id, new Date());
  await holdRefusal("caller");
  admit(empty, headers);
}

/**
 * Counts a request against the limit of a client address. A refusal is held back for a moment.
 *
 * @throws ApiError `rate_limited`
 */
export async function limitAddress(limit: AddressLimit, address: string | null, headers: LimitHeaders): Promise<void> {
  const standing = await takeToken(addressBucket(limit, address), addressPolicy(limit));
  if (!standing.allowed) await holdRefusal("address");
  admit(standing, headers);
}

/**
 * Returns the refusal of an address whose limit this process knows to be used up, after holding it back for a moment;
 * undefined if there is no such limit, or its route has to ask.
 */
export async function refusalOfSpent(
  limit: AddressLimit | undefined,
  address: string,
  headers: LimitHeaders,
): Promise<ApiError | undefined> {
  const empty = limit && knownEmpty([{ name: addressBucket(limit, address), policy: addressPolicy(limit) }]);
  if (!empty) return undefined;
  await holdRefusal("address");
  return refusalOf(empty, headers);
}

/**
 * Does the same for requests that need a key or token and may have none that is valid. One that is valid is never
 * refused here.
 */
export async function refusalOfUnknown(
  limit: AddressLimit | undefined,
  { headers, address }: { headers: IncomingHttpHeaders; address: string },
  limits: LimitHeaders,
): Promise<ApiError | undefined> {
  if (!limit || !knownEmpty([{ name: addressBucket(limit, address), policy: addressPolicy(limit) }])) return undefined;
  const { authorization } = headers;
  if (authorization !== undefined && (await callerOfKey(authorization))) return undefined;
  return refusalOfSpent(limit, address, limits);
}

/** The errors of an unknown key or session, and of one used from where it may not be. */
const REFUSED_CALLERS: ReadonlySet<string> = new Set(["unauthorized", "key_forbidden"]);

/**
 * Counts a request whose API key or session fails, so that neither can be guessed, nor lookups be had, at full speed. A
 * valid one is never refused because of what others at its address did.
 *
 * @param limit `failed_keys`, or `public` for sessions: a browser whose session has ended asks more often
 * @returns the error to respond with: the original one, or `rate_limited`
 */
export async function afterFailedCaller(
  limit: "failed_keys" | "public",
  thrown: unknown,
  address: string | null,
  headers: LimitHeaders,
): Promise<unknown> {
  if (!(thrown instanceof ApiError) || !REFUSED_CALLERS.has(thrown.code)) return thrown;
  const spent: LimitHeaders = {};
  try {
    await limitAddress(limit, address, spent);
    return thrown;
  } catch (refusal) {
    Object.assign(headers, spent);
    return refusal;
  }
}

function admit(standing: BucketState, headers: LimitHeaders): void {
  const refusal = refusalOf(standing, headers);
  if (refusal) throw refusal;
}

function refusalOf(standing: BucketState, headers: LimitHeaders): ApiError | undefined {
  Object.assign(headers, limitHeaders(standing));
  if (standing.allowed) return undefined;
  count("halcyon.rate_limit.refusals", { policy: standing.policy.name });
  const message = "Too many requests. Wait as long as Retry-After says, then go on more slowly.";
  return new ApiError("rate_limited", message, { retryAfter: standing.retrySeconds });
}

/**
 * Returns `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers): quota, window, and what is left.
 */
export function limitHeaders({ policy, remaining, resetSeconds }: BucketState): LimitHeaders {
  const { name, quota, seconds } = policy;
  return {
    "ratelimit-policy": `"${name}";q=${quota};w=${Math.max(1, Math.ceil(seconds))}`,
    ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
}
