import { ApiError } from "@/lib/errors";

/** A node that takes longer is as good as away: someone who waits for it holds a turn that others wait for. */
const PATIENCE_MS = 5_000;

/**
 * What a chain says, if it does so soon.
 *
 * @throws ApiError `unavailable` when it does not; what `work` throws
 */
export function soon<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ApiError("unavailable", "The service cannot reach the chain just now. Try again.", { retryAfter: 2 }));
    }, PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
