"use client";

import { useRef, useState } from "react";

/** Rows that are marked to be decided together. */
export interface Selection {
  /** In the order of the rows; what has left them is marked no more. */
  selected: readonly string[];
  /** Marks a row, or takes its mark; `range`: all from the row that was marked last to this one. */
  toggle(id: string, range?: boolean): void;
  set(ids: readonly string[]): void;
}

/** The rows from one to another, both included, whichever comes first; without the first only the other. */
export function rangeOf(ids: readonly string[], from: string | null, to: string): readonly string[] {
  const [a, b] = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)];
  if (a === -1 || b === -1) return [to];
  return ids.slice(Math.min(a, b), Math.max(a, b) + 1);
}

/** @param ids of the rows */
export function useSelection(ids: readonly string[]): Selection {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string>(null);
  return {
    selected: ids.filter((id) => marked.has(id)),
    toggle: (id, range = false) => {
      const next = new Set(marked);
      if (range) for (const each of rangeOf(ids, anchor.current, id)) next.add(each);
      else if (!next.delete(id)) next.add(id);
      anchor.current = id;
      setMarked(next);
    },
    set: (chosen) => {
      anchor.current = null;
      setMarked(new Set(chosen));
    },
  };
}
