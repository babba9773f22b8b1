import { plainFetch } from "@/lib/base/plain-fetch";
import type { Call } from "./call";
import { ServiceTimeout } from "./errors";

/** Returns a {@link plainFetch} that applies a call's timeout and signal until the last byte of the response. */
export function boundedFetch(call: Call, fetchWith?: typeof fetch): typeof fetch {
  const plain = plainFetch(fetchWith);
  return (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    const whole = (signal: AbortSignal) => plain(input, { ...init, signal });
    return call.attempt(whole, () => new ServiceTimeout(origin, call.timeout));
  };
}
