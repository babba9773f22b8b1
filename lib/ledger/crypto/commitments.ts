import { poseidon3 } from "poseidon-lite/poseidon3";
import type { Hex } from "viem";
import { LedgerError } from "./errors";
import { assertUnits, FIELD_ORDER, isWord, UNITS_BOUND, wordToHex } from "./field";
import { type AvailableWindow, NO_WINDOW, packWindow } from "./window";

const NOTE_TAG = 1n;
const AVAILABLE_TAG = 2n;

/** The word of an unused note slot. No note of an account ever has this word. */
export const EMPTY_NOTE = poseidon3([NOTE_TAG, 0n, 0n]);

/** The word of an available balance that was never set. A zero word on chain is read as this one. */
export const EMPTY_AVAILABLE = poseidon3([AVAILABLE_TAG, 0n, 0n]);

/** {@link EMPTY_NOTE} and {@link EMPTY_AVAILABLE} in the form that documents and the database use for words. */
export const EMPTY_NOTE_WORD: Hex = wordToHex(EMPTY_NOTE);
export const EMPTY_AVAILABLE_WORD: Hex = wordToHex(EMPTY_AVAILABLE);

/** The opening of a note: its amount in units, and the salt that hides it. */
export interface NoteOpening {
  amount: bigint;
  salt: bigint;
}

/**
 * The opening of an available balance: what may be spent, and what was counted under a policy. `counters` belong to an
 * agent's available balance. They are opaque here and kept in every following state.
 */
export interface AvailableOpening {
  readonly limit: bigint;
  readonly salt: bigint;
  readonly window: Readonly<AvailableWindow>;
  readonly counters?: Uint8Array;
  /** What clients with a home key keep beside it (`blindPartOf`). It is opaque to others, which keep it too. */
  readonly blind?: Uint8Array;
}

/** The opening of EMPTY_AVAILABLE. */
export const EMPTY_AVAILABLE_OPENING: AvailableOpening = { limit: 0n, salt: 0n, window: NO_WINDOW };

function assertSalt(salt: bigint): void {
  if (salt === 0n || !isWord(salt)) throw new LedgerError("A salt lies between 1 and the field order.");
}

/** Returns the word of a note of at least one unit: Poseidon(1, amount, salt). */
export function noteCommitment({ amount, salt }: NoteOpening): bigint {
  assertUnits(amount, 1n);
  assertSalt(salt);
  return poseidon3([NOTE_TAG, amount, salt]);
}

/** Caches words of openings: a plan asks several times for each of its two available balances. */
const words = new WeakMap<AvailableOpening, bigint>();

/**
 * Returns the word of an available balance: Poseidon(2, limit + 2^64·window, salt). Limit and salt 0 without a window
 * are the empty available balance.
 */
export function availableCommitment(opening: AvailableOpening): bigint {
  const word = words.get(opening) ?? computeWord(opening);
  words.set(opening, word);
  return word;
}

function computeWord({ limit, salt, window }: AvailableOpening): bigint {
  assertUnits(limit);
  const packed = packWindow(window);
  if (limit === 0n && salt === 0n && packed === 0n) return EMPTY_AVAILABLE;
  assertSalt(salt);
  return poseidon3([AVAILABLE_TAG, limit + UNITS_BOUND * packed, salt]);
}

/** Reports whether an opening matches a word. False for openings that no word can have, such as a salt of zero. */
export function isOpeningOf(available: AvailableOpening, word: bigint): boolean {
  try {
    return availableCommitment(available) === word;
  } catch {
    return false;
  }
}

/** Returns the available balance word of a word on chain: zero is read as EMPTY_AVAILABLE. */
export function readAvailableWord(stored: bigint): bigint {
  return stored === 0n ? EMPTY_AVAILABLE : stored;
}

/**
 * Maps uniform bytes (at least 48, as an integer) to a salt in [1, r). Zero can't occur, and the bias is negligible.
 */
export function saltFrom(uniform: bigint): bigint {
  return 1n + (uniform % (FIELD_ORDER - 1n));
}
