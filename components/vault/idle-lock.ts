/** How long after the last input an unlocked vault locks itself, in milliseconds. */
export const IDLE_MS = 15 * 60_000;
const LOOK_MS = 5_000;
/** How often a page reports that it is in use, in milliseconds. */
const SAY_MS = 5_000;
const INPUTS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

/** An idle timer. `locksAt` returns when the vault locks if there is no more input, in milliseconds since 1970. */
export interface IdleLock {
  locksAt(): number;
  stop(): void;
}

/**
 * Calls `lock` after 15 minutes without input in any page of this browser. Compares clock times, because timers stop
 * while the machine sleeps and in hidden pages.
 *
 * @param others returns when another page had its last input
 * @param touched called after input in this page, every few seconds at most
 */
export function startIdleLock({
  lock,
  others,
  touched,
}: {
  lock: () => void;
  others: () => number;
  touched: () => void;
}): IdleLock {
  let own = Date.now();
  let said = own;
  const last = () => Math.max(own, others());
  const isOver = () => Date.now() - last() >= IDLE_MS;
  const touch = () => {
    // Input after the time-out comes too late: it may be from someone else.
    if (isOver()) {
      lock();
      return;
    }
    own = Date.now();
    if (own - said < SAY_MS) return;
    said = own;
    touched();
  };
  const look = () => {
    if (isOver()) lock();
  };
  const timer = setInterval(look, LOOK_MS);
  for (const input of INPUTS) addEventListener(input, touch, { passive: true, capture: true });
  document.addEventListener("visibilitychange", look);
  return {
    locksAt: () => last() + IDLE_MS,
    stop: () => {
      clearInterval(timer);
      for (const input of INPUTS) removeEventListener(input, touch, { capture: true });
      document.removeEventListener("visibilitychange", look);
    },
  };
}
