"use client";

import { useRef, useState } from "react";

/** The rows selected to be decided together. */
export interface Selection {
  /** In the order of the rows. Rows that have left are not in it. */
  selected: readonly string[];
  /** Selects or deselects a row; with `range`, selects all rows from the last selected one to this one. */
  toggle(id: string, range?: boolean): void;
  set(ids: readonly string[]): void;
}

/**
 * Returns the ids from one row to the other, both included, in either direction. Returns only `to` if `from` is null or
 * gone.
 */
export function rangeOf(ids: readonly string[], from: string | null, to: string): readonly string[] {
  const [a, b] = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)];
  if (a === -1 || b === -1) return [to];
  return ids.slice(Math.min(a, b), Math.max(a, b) + 1);
}

/** @param ids ids of the rows */
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
