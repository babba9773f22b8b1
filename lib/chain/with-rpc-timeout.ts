import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";

/**
 * For how many seconds a node is waited for. A request that waits holds a turn that others wait for. However long the
 * process itself was stopped counts as one: it could not have read what the node sent meanwhile.
 */
const PATIENCE = 5;
/** How long a node that didn't respond in time counts as away, so that the others don't each wait for it again. */
const AWAY_MS = 1_000;

const awayUntil = new Map<ChainId, number>();

/**
 * Runs a request to a chain with a time limit.
 *
 * @throws ApiError `unavailable` if it takes too long, or a request before it has just taken too long; what `work`
 *   throws
 */
export async function withRpcTimeout<T>(chainId: ChainId, work: () => Promise<T>): Promise<T> {
  if ((awayUntil.get(chainId) ?? 0) > performance.now()) throw away();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    let left = PATIENCE;
    timer = setInterval(() => {
      left -= 1;
      if (left > 0) return;
      awayUntil.set(chainId, performance.now() + AWAY_MS);
      reject(away());
    }, 1_000);
  });
  return Promise.race([work(), late]).finally(() => clearInterval(timer));
}

function away(): ApiError {
  return new ApiError("unavailable", "The service cannot reach the chain just now. Try again.", { retryAfter: 2 });
}
