"use client";

import { useRef, useState } from "react";

/** The rows selected to be decided together. */
export interface RowSelection {
  /** In the order of the rows. Rows that have left are not in it. */
  selected: readonly string[];
  /** Selects or deselects a row; with `range`, selects all rows from the last one to this one. */
  toggle(id: string, on: boolean, range: boolean): void;
  set(ids: readonly string[]): void;
}

/** Returns the ids from one row to the other, both included, in either direction. Returns only `to` if `from` is gone. */
function rangeOf(ids: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [ids.indexOf(from), ids.indexOf(to)];
  if (a === -1 || b === -1) return [to];
  return ids.slice(Math.min(a, b), Math.max(a, b) + 1);
}

/**
 * Returns the selected ids after a row was selected or deselected.
 *
 * @param from the row from which all are selected; null for the row alone
 */
export function marksAfter(
  marked: ReadonlySet<string>,
  ids: readonly string[],
  { id, on, from }: { id: string; on: boolean; from: string | null },
): ReadonlySet<string> {
  const next = new Set(marked);
  if (from !== null) for (const each of rangeOf(ids, from, id)) next.add(each);
  else if (on) next.add(id);
  else next.delete(id);
  return next;
}

/** @param ids ids of the rows */
export function useSelection(ids: readonly string[]): RowSelection {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string>(null);
  return {
    selected: ids.filter((id) => marked.has(id)),
    toggle: (id, on, range) => {
      setMarked(marksAfter(marked, ids, { id, on: on || range, from: range ? anchor.current : null }));
      anchor.current = id;
    },
    set: (chosen) => {
      anchor.current = null;
      setMarked(new Set(chosen));
    },
  };
}
