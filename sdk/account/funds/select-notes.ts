import type { NoteOpening } from "@/lib/ledger/crypto/commitments";
import { UNITS_BOUND } from "@/lib/ledger/crypto/field";
import { MAKE_AVAILABLE_NOTES } from "@/lib/ledger/prepare/plan-make-available";

/**
 * The inputs of one move to the available balance, and by how much the available balance grows. The rest comes back as
 * a change note.
 */
export interface NoteSelection {
  notes: NoteOpening[];
  deposited: bigint;
  added: bigint;
}

/**
 * Selects the inputs of the next move to the available balance: at most 8 notes, largest first, then the deposited
 * money. Uses all of the deposited money or none: a partial amount would reveal how much was missing.
 *
 * @param notes unspent notes, largest first
 * @param wanted units still to add to the available balance; undefined: everything available
 * @returns null when there is nothing to use
 */
export function selectNotes(
  notes: readonly NoteOpening[],
  deposited: bigint,
  limit: bigint,
  wanted?: bigint,
): NoteSelection | null {
  const chosen: NoteOpening[] = [];
  let sum = 0n;
  const enough = () => wanted !== undefined && sum >= wanted;
  for (const note of notes) {
    if (chosen.length === MAKE_AVAILABLE_NOTES || enough()) break;
    if (limit + sum + note.amount >= UNITS_BOUND) continue;
    chosen.push(note);
    sum += note.amount;
  }
  const usesDeposited = !enough() && limit + sum + deposited < UNITS_BOUND;
  if (usesDeposited) sum += deposited;
  const added = wanted !== undefined && wanted < sum ? wanted : sum;
  return added === 0n ? null : { notes: chosen, deposited: usesDeposited ? deposited : 0n, added };
}
