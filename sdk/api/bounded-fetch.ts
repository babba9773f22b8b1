import type { Call } from "./call";
import { ServiceTimeout } from "./errors";
import { readBounded } from "./read-bounded";

/** Returns a `fetch` that applies a call's timeout and signal until the last byte of the response. */
export function boundedFetch(call: Call, fetchWith: typeof fetch): typeof fetch {
  return (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    const whole = async (signal: AbortSignal) => {
      const response = await fetchWith(input, { ...init, signal });
      const body = await readBounded(response);
      const { status, headers } = response;
      return new Response(body.byteLength === 0 ? null : body, { status, headers });
    };
    return call.attempt(whole, () => new ServiceTimeout(origin, call.timeout));
  };
}
