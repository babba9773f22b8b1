import type { Call } from "./call";
import { CallAborted } from "./call-aborted";
import { ServiceTimeout } from "./errors";

/** Holds work that several calls of a client share: not begun, in progress or done. */
export interface Shared<T> {
  work?: Promise<T> | undefined;
}

/**
 * Does shared work once, while each caller waits within its own limits. A failure is not cached: the next call starts
 * again, and so does a call that was waiting for another call that was aborted or timed out.
 */
export async function share<T>(call: Call, shared: Shared<T>, begin: () => Promise<T>): Promise<T> {
  for (let others = shared.work; others; others = shared.work) {
    try {
      return await call.whileWanted(others);
    } catch (error) {
      const ended = error instanceof CallAborted || error instanceof ServiceTimeout;
      if (!ended || call.aborted) throw error;
      if (shared.work === others) shared.work = undefined;
    }
  }
  call.throwIfAborted();
  const own = begin();
  shared.work = own;
  own.catch(() => {
    if (shared.work === own) shared.work = undefined;
  });
  return call.whileWanted(own);
}
