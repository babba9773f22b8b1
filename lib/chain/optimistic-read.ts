import { ApiError, isCopyOf } from "@/lib/base/errors";

const MOST_READS = 10;

/** Thrown in a transaction if what was read from the chain before it is outdated and must be read again. */
export class ReadAgain extends ApiError {
  static override readonly copyOf: string = "ReadAgain";
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isCopyOf("ReadAgain", value);
  }

  constructor() {
    super("unavailable", "The policy is being changed at this moment. Try again.", { retryAfter: 1 });
  }
}

/**
 * Reads and then runs `work` with the result. Repeats both while `work` throws {@link ReadAgain}.
 *
 * @throws ApiError `unavailable` if the read was outdated every time; whatever else `read` and `work` throw
 */
export async function optimisticRead<R, T>(read: () => Promise<R>, work: (read: R) => Promise<T>): Promise<T> {
  for (let reads = 1; ; reads++) {
    try {
      return await work(await read());
    } catch (error) {
      if (!(error instanceof ReadAgain) || reads === MOST_READS) throw error;
    }
  }
}
