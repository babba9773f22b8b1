import type { Call } from "./call";
import { CallAborted } from "./call-aborted";
import { ServiceTimeout } from "./errors";

/** Where work that several calls of a client need is kept, begun or done. */
export interface Shared<T> {
  work?: Promise<T> | undefined;
}

/**
 * Does what several calls need once, and lets each wait within its own limits. A failure is not remembered: the next call begins
 * again, and so does one that waited for another call that was aborted or had less time.
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
