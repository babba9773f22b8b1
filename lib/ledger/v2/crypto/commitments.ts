import { poseidon3 } from "poseidon-lite/poseidon3";
import {
  type BudgetOpening as FirstBudgetOpening,
  budgetCommitment as firstCommitment,
} from "../../crypto/commitments";
import { LedgerError } from "../../crypto/errors";
import { assertUnits, isWord, UNITS_BOUND } from "../../crypto/field";
import { type BudgetWindow, NO_WINDOW, packWindow } from "./window";

const BUDGET_TAG = 2n;

/** What a budget holds: as in the first edition, and what it has counted under a policy. */
export interface BudgetOpening extends FirstBudgetOpening {
  window: BudgetWindow;
}

/** The opening of EMPTY_BUDGET, which is also how a zero word reads. */
export const EMPTY_BUDGET_OPENING: BudgetOpening = { limit: 0n, salt: 0n, window: NO_WINDOW };

/** Poseidon(2, limit + 2^64·window, salt): the word of a budget. With NO_WINDOW it is the first edition's word. */
export function budgetCommitment(opening: BudgetOpening): bigint {
  const { limit, salt, window } = opening;
  assertUnits(limit);
  const packed = packWindow(window);
  if (packed === 0n) return firstCommitment(opening);
  if (salt === 0n || !isWord(salt)) throw new LedgerError("A salt lies between 1 and the field order.");
  return poseidon3([BUDGET_TAG, limit + UNITS_BOUND * packed, salt]);
}
