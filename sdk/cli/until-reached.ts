import { setTimeout as sleep } from "node:timers/promises";
import { HalcyonError } from "../api/errors";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** What a command that runs until it is stopped says of the connection. */
export type ConnectionNews =
  /** The service can't be reached. The command continues once it is back. */
  { kind: "lost"; message: string } | { kind: "found" };

/** Repeats a request until the service responds. Returns undefined if the command was stopped in the meantime. */
export async function untilReached<T>(
  ask: () => Promise<T>,
  signal: AbortSignal,
  tell: (news: ConnectionNews) => void,
): Promise<T | undefined> {
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      const response = await ask();
      if (tries > 0) tell({ kind: "found" });
      return response;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (tries === 0) tell({ kind: "lost", message: error.message });
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS), signal);
    }
  }
  return undefined;
}

/** Reports whether an error is temporary: the service can't be reached, or will recover soon. */
function isPassing(error: unknown): error is HalcyonError {
  return error instanceof HalcyonError && ["unavailable", "internal", "rate_limited"].includes(error.code);
}

/** Waits until the time has passed or the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}
