import { poseidon3 } from "poseidon-lite/poseidon3";
import type { Hex } from "viem";
import { LedgerError } from "./errors";
import { assertUnits, FIELD_ORDER, isWord, UNITS_BOUND, wordToHex } from "./field";
import { type BudgetWindow, NO_WINDOW, packWindow } from "./window";

const NOTE_TAG = 1n;
const BUDGET_TAG = 2n;

/** The commitment of an unused note slot. No note of an account ever has this word. */
export const EMPTY_NOTE = poseidon3([NOTE_TAG, 0n, 0n]);

/** What a budget never set stands for: a zero word on chain is read as this. */
export const EMPTY_BUDGET = poseidon3([BUDGET_TAG, 0n, 0n]);

/** EMPTY_NOTE and EMPTY_BUDGET as documents and the database hold words. */
export const EMPTY_NOTE_WORD: Hex = wordToHex(EMPTY_NOTE);
export const EMPTY_BUDGET_WORD: Hex = wordToHex(EMPTY_BUDGET);

/** What a note holds: whole units and the salt that hides them. */
export interface NoteOpening {
  amount: bigint;
  salt: bigint;
}

/**
 * What a budget holds: what may be spent, and what has counted under a policy. `counters` travels with an agent's
 * budget: opaque here, kept in every next state.
 */
export interface BudgetOpening {
  readonly limit: bigint;
  readonly salt: bigint;
  readonly window: Readonly<BudgetWindow>;
  readonly counters?: Uint8Array;
}

/** The opening of EMPTY_BUDGET. */
export const EMPTY_BUDGET_OPENING: BudgetOpening = { limit: 0n, salt: 0n, window: NO_WINDOW };

function assertSalt(salt: bigint): void {
  if (salt === 0n || !isWord(salt)) throw new LedgerError("A salt lies between 1 and the field order.");
}

/** Poseidon(1, amount, salt): the word of a note of at least one unit. */
export function noteCommitment({ amount, salt }: NoteOpening): bigint {
  assertUnits(amount, 1n);
  assertSalt(salt);
  return poseidon3([NOTE_TAG, amount, salt]);
}

/** Of openings that are in use: a plan asks several times for each of its two. */
const words = new WeakMap<BudgetOpening, bigint>();

/**
 * Poseidon(2, limit + 2^64·window, salt): the word of a budget. The opening (0, 0) without a window is that of the
 * empty budget.
 */
export function budgetCommitment(opening: BudgetOpening): bigint {
  const word = words.get(opening) ?? computeWord(opening);
  words.set(opening, word);
  return word;
}

function computeWord({ limit, salt, window }: BudgetOpening): bigint {
  assertUnits(limit);
  const packed = packWindow(window);
  if (limit === 0n && salt === 0n && packed === 0n) return EMPTY_BUDGET;
  assertSalt(salt);
  return poseidon3([BUDGET_TAG, limit + UNITS_BOUND * packed, salt]);
}

/** The budget word that a stored word stands for: zero is read as EMPTY_BUDGET. */
export function readBudgetWord(stored: bigint): bigint {
  return stored === 0n ? EMPTY_BUDGET : stored;
}

/**
 * Maps uniform bytes (at least 48, as an integer) to a salt of [1, r): zero cannot occur, and the bias is negligible.
 */
export function saltFrom(uniform: bigint): bigint {
  return 1n + (uniform % (FIELD_ORDER - 1n));
}
