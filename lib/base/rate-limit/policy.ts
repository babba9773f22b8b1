import { type AddressLimit, env, type Rate } from "@/lib/base/env";

/** The limit of a bucket: a burst of `quota` requests, refilled at `quota` per `seconds`. */
export interface LimitPolicy {
  /** The name in the `RateLimit-Policy` header. */
  name: "api_key" | "session" | "account" | AddressLimit;
  quota: number;
  seconds: number;
  /** How many tokens a process leases at a time (see `takeToken`). */
  slice: number;
}

// For a quota of 200 that is ten: a key in steady use costs one statement per ten requests.
const SLICE = 1 / 20;
const LARGEST_SLICE = 10;

/** Returns the limit of one API key or session; undefined when the limit is off. */
export function callerPolicy(name: "api_key" | "session"): LimitPolicy | undefined {
  return perSecond(name, env().keyRate);
}

/** Returns the limit that all keys and sessions of an account and its agents share; undefined when the limit is off. */
export function accountPolicy(): LimitPolicy | undefined {
  return perSecond("account", env().accountRate);
}

function perSecond(name: LimitPolicy["name"], { perSecond, burst }: Rate): LimitPolicy | undefined {
  if (perSecond === 0) return undefined;
  const slice = Math.min(LARGEST_SLICE, Math.max(1, Math.round(burst * SLICE)));
  return { name, quota: burst, seconds: burst / perSecond, slice };
}

/** For how many seconds an address may save its requests up: where a minute's are many, all at once would be felt. */
const SAVED: Readonly<Partial<Record<AddressLimit, number>>> = { public: 5 };

/** Returns the limit of one client address for one kind of request. */
export function addressPolicy(name: AddressLimit): LimitPolicy {
  const seconds = SAVED[name] ?? 60;
  return { name, quota: Math.ceil((env().addressRates[name] * seconds) / 60), seconds, slice: 1 };
}
