import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";

/** 55P03: the lock was not available in time. 40P01: a deadlock with another transaction. */
const LOCKED = new Set(["55P03", "40P01"]);

/**
 * Runs a transaction that locks tables which others use, and runs it again where a lock was not to be had: it changed
 * nothing then, and those others go on in the pauses.
 *
 * @param pausesMs one before each further attempt
 * @throws the last attempt's error
 */
export async function againWhenLocked<T>(pausesMs: readonly number[], work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const pause = pausesMs[attempt];
      if (pause === undefined || !LOCKED.has(codeOf(error))) throw error;
      await sleep(pause);
    }
  }
}

function codeOf(error: unknown): string {
  if (error instanceof postgres.PostgresError) return error.code;
  return error instanceof Error && error.cause !== undefined ? codeOf(error.cause) : "";
}
