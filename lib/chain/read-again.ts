import { ApiError } from "@/lib/errors";

const MOST_READS = 10;

/** What was read of the chain before a transaction no longer holds in it: it is to be read again. */
export class ReadAgain extends ApiError {
  constructor() {
    super("unavailable", "The policy is being changed at this moment. Try again.", { retryAfter: 1 });
  }
}

/**
 * Reads, and works with that in a transaction, again as long as what was read does not hold there.
 *
 * @throws ApiError `unavailable` when it never held; what `read` and `work` throw
 */
export async function readingAgain<R, T>(read: () => Promise<R>, work: (read: R) => Promise<T>): Promise<T> {
  for (let reads = 1; ; reads++) {
    try {
      return await work(await read());
    } catch (error) {
      if (!(error instanceof ReadAgain) || reads === MOST_READS) throw error;
    }
  }
}
