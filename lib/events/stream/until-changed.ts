import { wakeOnChange } from "./open-streams";
import type { StreamOwner } from "./read-changes";

/** How soon to look again at an account that keeps changing. */
const PACE_MS = 250;

/**
 * Looks at something of an account until it is as wanted: at once, and in this process whenever the database says that
 * the account or one of its agents has changed.
 *
 * @param look returns undefined as long as it is not as wanted
 * @param until Unix milliseconds; then it looks once more
 * @returns what `look` has returned; undefined when the time is over
 */
export async function untilChanged<T>(
  owner: StreamOwner,
  look: () => Promise<T | undefined>,
  until: number,
): Promise<T | undefined> {
  let changed = false;
  let wake = () => {};
  const stop = await wakeOnChange(owner, () => {
    changed = true;
    wake();
  });
  try {
    for (;;) {
      // Set before the look, so that nothing is missed.
      changed = false;
      const isLast = Date.now() >= until;
      const found = await look();
      if (found !== undefined || isLast) return found;
      await within(PACE_MS, until);
      if (!changed) await within(until - Date.now(), until, (resolve) => (wake = resolve));
    }
  } finally {
    stop();
  }
}

/** Waits for so long, not beyond that time, or until what it hands over is called. */
function within(ms: number, until: number, wakeBy: (resolve: () => void) => void = () => {}): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, Math.min(ms, until - Date.now())));
    wakeBy(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
