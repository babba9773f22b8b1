import type { Funds } from "../../account/funds/funds";
import { type NoteSelection, selectNotes } from "../../account/funds/select-notes";

/** The goal of making money available, in units. */
export type MakeAvailableGoal =
  /** How much to add to the available balance; all deposited money and notes if not set. */
  | { add?: bigint }
  /** The available balance afterwards, larger or smaller than now. */
  | { available: bigint };

/** One move to the available balance: its inputs and the available balance it leaves. */
export interface MakeAvailableStep extends NoteSelection {
  newLimit: bigint;
  /** Drops the amounts counted under a policy, for an account that has removed its own policy. */
  leavesPolicy?: boolean;
}

/**
 * Returns the next move to the available balance towards a goal. Lowering the available balance needs no inputs: the
 * difference comes back as a note, whose amount only the account can decrypt.
 *
 * @returns null when the goal is reached or nothing is left to make available
 */
export function makeAvailableStep(
  { notes, deposited, available: { limit } }: Pick<Funds, "notes" | "deposited" | "available">,
  goal: MakeAvailableGoal,
): MakeAvailableStep | null {
  if ("available" in goal && goal.available < limit)
    return { notes: [], deposited: 0n, added: 0n, newLimit: goal.available };
  const wanted = "available" in goal ? goal.available - limit : goal.add;
  if (wanted === 0n) return null;
  const selection = selectNotes(notes, deposited, limit, wanted);
  return selection && { ...selection, newLimit: limit + selection.added };
}

/** Returns the goal that remains after a step. Doesn't compensate for payments made in the meantime. */
export function goalAfter(
  goal: MakeAvailableGoal,
  { before, added }: Pick<MakeAvailableStep, "added"> & { before: bigint },
): MakeAvailableGoal {
  if ("available" in goal) return { add: goal.available > before ? goal.available - before - added : 0n };
  return { add: goal.add === undefined ? undefined : goal.add - added };
}
