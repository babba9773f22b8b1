"use client";

import { useEffect, useEffectEvent } from "react";

/** What the queue's keyboard shortcuts act on. */
interface QueueActions {
  /** Id of the payment open in the dialog; null if none is. */
  opened: string | null;
  /** Whether the dialog shows the payment without asking for a confirmation. */
  reviewing: boolean;
  /** Ids of the waiting payments, in the order of the rows. */
  ids: readonly string[];
  review(id: string): void;
  approve(id: string): void;
  reject(id: string): void;
  /** Selects a row; with `range`, all rows from the last selected one. */
  select(id: string, range: boolean): void;
}

/** Returns the row of a payment. */
export function rowOf(id: string): HTMLElement | null {
  return document.querySelector(`[data-held="${CSS.escape(id)}"]`);
}

/** Returns the id of the payment `step` rows away. */
function neighbour(ids: readonly string[], id: string | undefined, step: 1 | -1): string | undefined {
  const index = id === undefined ? -1 : ids.indexOf(id);
  if (index === -1) return step === 1 ? ids[0] : ids.at(-1);
  return ids[Math.min(ids.length - 1, Math.max(0, index + step))];
}

const STEPS: Record<string, 1 | -1> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/** Returns whether someone is typing, or another dialog or menu has the focus. */
function isElsewhere(target: HTMLElement): boolean {
  if (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return true;
  const over = target.closest('[role="dialog"], [role="menu"]');
  return over ? over.querySelector("[data-review]") === null : false;
}

/**
 * Handles the queue's shortcuts: `j`, `k` and the arrows move between rows, `x` selects the focused row (with Shift,
 * all rows up to it), `a` and `r` start a decision. Enter opens the row natively.
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
      // Arrows scroll, unless a row has the focus.
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
