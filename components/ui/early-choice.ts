import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Takes over what was chosen in a controlled select before the page's scripts had loaded: the browser shows it, and
 * React does not know of it. Returns the select's `ref`.
 */
export function useEarlyChoice(): RefObject<HTMLSelectElement | null> {
  const select = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => {
    const control = select.current;
    const rendered = [...(control?.options ?? [])].find(({ defaultSelected }) => defaultSelected);
    if (!control || !rendered || rendered.selected) return;
    const early = control.value;
    // As if it were chosen now. Each is rendered before the next, because the fields of a form may share their state.
    queueMicrotask(() => {
      // What another field took over has rendered this one as it was.
      control.value = early;
      control.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }, []);
  return select;
}
