/**
 * Returns what `useSyncExternalStore` needs to follow something that `localStorage` holds, in this tab and all others.
 *
 * @param name of the event that reports a change within this tab; `storage` events reach only the other tabs
 */
export function storageChanges(name: string): { subscribe: (listener: () => void) => () => void; report: () => void } {
  return {
    subscribe: (listener) => {
      addEventListener("storage", listener);
      addEventListener(name, listener);
      return () => {
        removeEventListener("storage", listener);
        removeEventListener(name, listener);
      };
    },
    report: () => globalThis.dispatchEvent?.(new Event(name)),
  };
}
