import { ApiError } from "@/lib/errors";
import type { ChainId } from "@/lib/network";

/** How long to wait for a node. A request that waits holds a turn that others wait for. */
const PATIENCE_MS = 5_000;
/** How long a node that didn't respond in time counts as away, so that the others don't each wait for it again. */
const AWAY_MS = 1_000;

const awayUntil = new Map<ChainId, number>();

/**
 * Runs a request to a chain with a time limit.
 *
 * @throws ApiError `unavailable` if it takes too long, or a request before it has just taken too long; what `work`
 *   throws
 */
export async function soon<T>(chainId: ChainId, work: () => Promise<T>): Promise<T> {
  if ((awayUntil.get(chainId) ?? 0) > performance.now()) throw away();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      awayUntil.set(chainId, performance.now() + AWAY_MS);
      reject(away());
    }, PATIENCE_MS);
  });
  return Promise.race([work(), late]).finally(() => clearTimeout(timer));
}

function away(): ApiError {
  return new ApiError("unavailable", "The service cannot reach the chain just now. Try again.", { retryAfter: 2 });
}
