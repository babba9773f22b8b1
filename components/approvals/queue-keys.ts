"use client";

import { useEffect, useEffectEvent } from "react";

/** What the keys of the queue do. */
export interface QueueActions {
  /** The payment that is open in the dialog; null: none. */
  opened: string | null;
  /** The dialog shows the payment and asks nothing yet. */
  reviewing: boolean;
  /** Ids of those that wait, in the order of the rows. */
  ids: readonly string[];
  review(id: string): void;
  approve(id: string): void;
  reject(id: string): void;
  /** Marks a row; `range`: from the one marked last. */
  select(id: string, range: boolean): void;
}

/** The row of a payment. */
export function rowOf(id: string): HTMLElement | null {
  return document.querySelector(`[data-held="${CSS.escape(id)}"]`);
}

/** The payment next to this one, by `step` rows. */
function neighbour(ids: readonly string[], id: string | undefined, step: 1 | -1): string | undefined {
  const index = id === undefined ? -1 : ids.indexOf(id);
  if (index === -1) return step === 1 ? ids[0] : ids.at(-1);
  return ids[Math.min(ids.length - 1, Math.max(0, index + step))];
}

const STEPS: Record<string, 1 | -1> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/** Whether someone is typing, or something else than the queue and its dialog has the keys. */
function isElsewhere(target: HTMLElement): boolean {
  if (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return true;
  const over = target.closest('[role="dialog"], [role="menu"]');
  return over ? over.querySelector("[data-review]") === null : false;
}

/**
 * `j`, `k` and arrows move between rows, `x` marks the row in focus, with Shift all up to it; `a` and `r` begin a decision
 * of it. Enter opens it by itself.
 */
export function useQueueKeys(actions: QueueActions): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event;
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (!(target instanceof HTMLElement) || isElsewhere(target)) return;
    const { opened, reviewing, ids } = actions;
    const focused = target.closest<HTMLElement>("[data-held]")?.dataset.held;
    const step = STEPS[key];
    if (step !== undefined) {
      // Arrows scroll, but where a row has the focus.
      if (key.startsWith("Arrow") && focused === undefined) return;
      if (opened !== null && !reviewing) return;
      const next = neighbour(ids, opened ?? focused, step);
      if (next === undefined) return;
      event.preventDefault();
      if (opened === null) rowOf(next)?.focus();
      else if (next !== opened) actions.review(next);
      return;
    }
    if (key === "x" || key === "X") {
      if (opened !== null || focused === undefined || !ids.includes(focused)) return;
      event.preventDefault();
      return actions.select(focused, key === "X");
    }
    const id = opened === null ? focused : reviewing ? opened : undefined;
    if (id === undefined || !ids.includes(id) || (key !== "a" && key !== "r")) return;
    event.preventDefault();
    if (key === "a") actions.approve(id);
    else actions.reject(id);
  });
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
