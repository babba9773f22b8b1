"use client";

import { useEffect, useRef } from "react";
import { rowOf } from "./queue-keys";

/** By then a closing dialog has returned the focus, if it could. */
const SETTLE_MS = 200;

/** Returns the remaining row nearest to where `id` was. */
function nearest(before: readonly string[], now: readonly string[], id: string): string | null {
  const at = before.indexOf(id);
  const left = (from: readonly string[]) => from.find((other) => now.includes(other));
  return left(before.slice(at + 1)) ?? left(before.slice(0, Math.max(0, at)).reverse()) ?? null;
}

/**
 * Keeps the focus in the queue: when the focused row leaves, with or without the dialog open, its neighbour gets the
 * focus, so that the shortcuts keep working. Does nothing if the person has focused something else.
 *
 * @param ids ids of the rows, joined by spaces
 * @param opened id of the payment in the dialog
 */
export function useRowFocus(ids: string, opened: string | null): void {
  const last = useRef<string | null>(null);
  const before = useRef<string[]>([]);

  useEffect(() => {
    const follow = ({ target }: Event) => {
      if (!(target instanceof Element) || target.closest('[role="dialog"]')) return;
      last.current = target.closest<HTMLElement>("[data-held]")?.dataset.held ?? null;
    };
    addEventListener("focusin", follow);
    addEventListener("pointerdown", follow);
    return () => {
      removeEventListener("focusin", follow);
      removeEventListener("pointerdown", follow);
    };
  }, []);

  useEffect(() => {
    const now = ids.split(" ");
    const old = before.current;
    before.current = now;
    if (opened !== null) last.current = opened;
    if (last.current !== null && !now.includes(last.current)) last.current = nearest(old, now, last.current);
    if (opened !== null) return;
    const timer = setTimeout(() => {
      if (document.activeElement === document.body && last.current !== null) rowOf(last.current)?.focus();
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [ids, opened]);
}
