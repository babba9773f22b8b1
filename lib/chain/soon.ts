import { ApiError } from "@/lib/errors";
import type { ChainId } from "@/lib/network";

/** A node that takes longer is as good as away: someone who waits for it holds a turn that others wait for. */
const PATIENCE_MS = 5_000;
/** Those others do not each wait as long. */
const AWAY_MS = 1_000;

const awayUntil = new Map<ChainId, number>();

/**
 * What a chain says, if it does so soon.
 *
 * @throws ApiError `unavailable` when it does not, or has just not done so; what `work` throws
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
