import { ApiError } from "@/lib/base/errors";
import { WorkValue } from "@/lib/base/work-value";

const current = new WorkValue<AbortSignal>("left");

/**
 * Runs the work of a request.
 *
 * @param left fires when no one waits for its response any more: its client has left, or its deadline has passed
 */
export function withClient<T>(left: AbortSignal, work: () => T): T {
  return current.run(left, work);
}

/** Reports whether no one waits for the current request's response any more. */
export function clientHasLeft(): boolean {
  return current.get()?.aborted === true;
}

/**
 * Waits for something for as long as someone waits for the current request's response. Outside of requests, waits to
 * the end. Use it only where a request has not done anything yet that the rest of it has to complete.
 *
 * @throws ApiError `unavailable`, which no one gets
 */
export async function waitUnlessClientLeft<T>(wait: Promise<T>): Promise<T> {
  const left = current.get();
  if (!left) return wait;
  let leave = () => {};
  const gone = new Promise<never>((_, reject) => {
    leave = () => reject(new ApiError("unavailable", "The client has left. Nothing was done.", { retryAfter: 1 }));
  });
  // Someone else may still wait for it.
  wait.catch(() => {});
  if (left.aborted) leave();
  else left.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([gone, wait]);
  } finally {
    left.removeEventListener("abort", leave);
  }
}
