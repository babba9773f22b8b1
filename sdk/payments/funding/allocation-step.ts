import type { Funds } from "../../account/funds/funds";
import { type NoteSelection, selectNotes } from "../../account/funds/select-notes";

/** The goal of allocating, in units. */
export type AllocationGoal =
  /** How much to add to the available balance; all credit and notes if not set. */
  | { add?: bigint }
  /** The available balance afterwards, larger or smaller than now. */
  | { available: bigint };

/** One allocation: its inputs and the available balance it leaves. */
export interface AllocationStep extends NoteSelection {
  newLimit: bigint;
  /** Drops the amounts counted under a policy, for an account that has removed its own policy. */
  leavesPolicy?: boolean;
}

/**
 * Returns the next allocation towards a goal. Lowering the available balance needs no inputs: the difference comes back
 * as a note, whose amount only the account can decrypt.
 *
 * @returns null when the goal is reached or nothing is left to allocate
 */
export function allocationStep(
  { notes, credit, available: { limit } }: Pick<Funds, "notes" | "credit" | "available">,
  goal: AllocationGoal,
): AllocationStep | null {
  if ("available" in goal && goal.available < limit)
    return { notes: [], credit: 0n, added: 0n, newLimit: goal.available };
  const wanted = "available" in goal ? goal.available - limit : goal.add;
  if (wanted === 0n) return null;
  const selection = selectNotes(notes, credit, limit, wanted);
  return selection && { ...selection, newLimit: limit + selection.added };
}

/** Returns the goal that remains after a step. Doesn't compensate for payments made in the meantime. */
export function goalAfter(
  goal: AllocationGoal,
  { before, added }: Pick<AllocationStep, "added"> & { before: bigint },
): AllocationGoal {
  if ("available" in goal) return { add: goal.available > before ? goal.available - before - added : 0n };
  return { add: goal.add === undefined ? undefined : goal.add - added };
}
