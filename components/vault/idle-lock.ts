/** How long after the last input an unlocked vault locks itself. */
export const IDLE_MS = 15 * 60_000;
const LOOK_MS = 5_000;
const INPUTS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

/** When the vault locks unless something is done: milliseconds of `Date.now`. */
export interface IdleLock {
  locksAt(): number;
  stop(): void;
}

/**
 * Calls `lock` after 15 minutes without input in this page. Clocks are compared, for timers stand still while a machine
 * sleeps and in pages that are not shown.
 */
export function startIdleLock(lock: () => void): IdleLock {
  let last = Date.now();
  const touch = () => {
    // Input after the time is over comes too late: who sits there now may be someone else.
    if (Date.now() - last < IDLE_MS) last = Date.now();
    else lock();
  };
  const look = () => {
    if (Date.now() - last >= IDLE_MS) lock();
  };
  const timer = setInterval(look, LOOK_MS);
  for (const input of INPUTS) addEventListener(input, touch, { passive: true, capture: true });
  document.addEventListener("visibilitychange", look);
  return {
    locksAt: () => last + IDLE_MS,
    stop: () => {
      clearInterval(timer);
      for (const input of INPUTS) removeEventListener(input, touch, { capture: true });
      document.removeEventListener("visibilitychange", look);
    },
  };
}
