/** Browsers take no longer waits. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** A moment for React to watch: whether it has passed, and when it does. */
interface Moment {
  subscribe: (onPassed: () => void) => () => void;
  hasPassed: () => boolean;
}

/**
 * Returns a moment to watch.
 *
 * @param value ISO 8601
 */
export function momentOf(value: string): Moment {
  const at = Date.parse(value);
  const hasPassed = () => Date.now() >= at;
  return {
    hasPassed,
    subscribe(onPassed) {
      if (hasPassed()) return () => {};
      const timer = setTimeout(onPassed, Math.min(at - Date.now(), LONGEST_WAIT_MS));
      return () => clearTimeout(timer);
    },
  };
}
