import type { Funds } from "../../account/funds/funds";
import { type NoteSelection, selectNotes } from "../../account/funds/select-notes";

/** The goal of allocating, in units. */
export type AllocationGoal =
  /** How much to add to the budget; all credit and notes if not set. */
  | { add?: bigint }
  /** The budget afterwards, larger or smaller than now. */
  | { budget: bigint };

/** One allocation: its inputs and the budget it leaves. */
export interface AllocationStep extends NoteSelection {
  newLimit: bigint;
  /** Drops the amounts counted under a policy, for an account that has removed its own policy. */
  leavesPolicy?: boolean;
}

/**
 * Returns the next allocation towards a goal. Lowering the budget needs no inputs: the difference comes back as a note,
 * whose amount only the account can decrypt.
 *
 * @returns null when the goal is reached or nothing is left to allocate
 */
export function allocationStep(
  { notes, credit, budget: { limit } }: Pick<Funds, "notes" | "credit" | "budget">,
  goal: AllocationGoal,
): AllocationStep | null {
  if ("budget" in goal && goal.budget < limit) return { notes: [], credit: 0n, added: 0n, newLimit: goal.budget };
  const wanted = "budget" in goal ? goal.budget - limit : goal.add;
  if (wanted === 0n) return null;
  const selection = selectNotes(notes, credit, limit, wanted);
  return selection && { ...selection, newLimit: limit + selection.added };
}

/** Returns the goal that remains after a step. Doesn't compensate for payments made in the meantime. */
export function goalAfter(
  goal: AllocationGoal,
  { before, added }: Pick<AllocationStep, "added"> & { before: bigint },
): AllocationGoal {
  if ("budget" in goal) return { add: goal.budget > before ? goal.budget - before - added : 0n };
  return { add: goal.add === undefined ? undefined : goal.add - added };
}
