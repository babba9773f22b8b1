import { type AddressLimit, env, type Rate } from "@/lib/env";

/** How many requests one bucket takes: `quota` at once after a pause, and as many again every `seconds`. */
export interface LimitPolicy {
  /** As `RateLimit-Policy` names it. */
  name: "api_key" | "session" | "account" | AddressLimit;
  quota: number;
  seconds: number;
  /** Tokens a process takes at a time (see `takeToken`). */
  slice: number;
}

// Ten of 200: of a key in steady use every tenth request costs a statement.
const SLICE = 1 / 20;
const LARGEST_SLICE = 10;

/** What an API key or a session may do; undefined when the limit is off. */
export function callerPolicy(name: "api_key" | "session"): LimitPolicy | undefined {
  return perSecond(name, env().keyRate);
}

/** What all keys and sessions of an account and its agents may do together; undefined when the limit is off. */
export function accountPolicy(): LimitPolicy | undefined {
  return perSecond("account", env().accountRate);
}

function perSecond(name: LimitPolicy["name"], { perSecond, burst }: Rate): LimitPolicy | undefined {
  if (perSecond === 0) return undefined;
  const slice = Math.min(LARGEST_SLICE, Math.max(1, Math.round(burst * SLICE)));
  return { name, quota: burst, seconds: burst / perSecond, slice };
}

/** What one client address may do of a kind in a minute. */
export function addressPolicy(name: AddressLimit): LimitPolicy {
  return { name, quota: env().addressRates[name], seconds: 60, slice: 1 };
}
