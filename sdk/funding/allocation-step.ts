import type { Funds } from "../funds/funds";
import { type Selection, selectNotes } from "../funds/select-notes";

/** What allocating is to come to, in units. */
export type AllocationGoal =
  /** So much more budget; all credit and notes when left out. */
  | { add?: bigint }
  /** A budget of this size, larger or smaller than now. */
  | { budget: bigint };

/** One allocation: what it takes in and the budget it leaves. */
export interface AllocationStep extends Selection {
  newLimit: bigint;
  /** What was counted under a policy is dropped: of an account that has left its own. */
  leavesPolicy?: boolean;
}

/**
 * The next allocation towards a goal. To lower the budget takes in nothing: what is taken out of it comes back as a
 * note, whose amount only the account sees.
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

/** What is left to do after a step: a payment made meanwhile is not made up for. */
export function goalAfter(
  goal: AllocationGoal,
  { before, added }: Pick<AllocationStep, "added"> & { before: bigint },
): AllocationGoal {
  if ("budget" in goal) return { add: goal.budget > before ? goal.budget - before - added : 0n };
  return { add: goal.add === undefined ? undefined : goal.add - added };
}
