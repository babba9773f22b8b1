import { poseidon3 } from "poseidon-lite/poseidon3";
import type { Hex } from "viem";
import { LedgerError } from "./errors";
import { assertUnits, commitmentToHex, FIELD_ORDER, isFieldElement, UNITS_BOUND } from "./field";
import { type AvailableWindow, NO_WINDOW, packWindow } from "./window";

const NOTE_TAG = 1n;
const AVAILABLE_TAG = 2n;

/** The commitment of an unused note slot. No note of an account ever has this commitment. */
export const EMPTY_NOTE = poseidon3([NOTE_TAG, 0n, 0n]);

/** The commitment of an available balance that was never set. A zero commitment on chain is read as this one. */
export const EMPTY_AVAILABLE = poseidon3([AVAILABLE_TAG, 0n, 0n]);

/** {@link EMPTY_NOTE} and {@link EMPTY_AVAILABLE} in the form that documents and the database use for commitments. */
export const EMPTY_NOTE_HEX: Hex = commitmentToHex(EMPTY_NOTE);
export const EMPTY_AVAILABLE_HEX: Hex = commitmentToHex(EMPTY_AVAILABLE);

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
  if (salt === 0n || !isFieldElement(salt)) throw new LedgerError("A salt lies between 1 and the field order.");
}

/** Returns the commitment of a note of at least one unit: Poseidon(1, amount, salt). */
export function noteCommitment({ amount, salt }: NoteOpening): bigint {
  assertUnits(amount, 1n);
  assertSalt(salt);
  return poseidon3([NOTE_TAG, amount, salt]);
}

/** Caches commitments of openings: a plan asks several times for each of its two available balances. */
const commitments = new WeakMap<AvailableOpening, bigint>();

/**
 * Returns the commitment of an available balance: Poseidon(2, limit + 2^64·window, salt). Limit and salt 0 without a
 * window are the empty available balance.
 */
export function availableCommitment(opening: AvailableOpening): bigint {
  const commitment = commitments.get(opening) ?? computeCommitment(opening);
  commitments.set(opening, commitment);
  return commitment;
}

function computeCommitment({ limit, salt, window }: AvailableOpening): bigint {
  assertUnits(limit);
  const packed = packWindow(window);
  if (limit === 0n && salt === 0n && packed === 0n) return EMPTY_AVAILABLE;
  assertSalt(salt);
  return poseidon3([AVAILABLE_TAG, limit + UNITS_BOUND * packed, salt]);
}

/**
 * Reports whether an opening matches a commitment. False for openings that no commitment can have, such as a salt of
 * zero.
 */
export function isOpeningOf(available: AvailableOpening, commitment: bigint): boolean {
  try {
    return availableCommitment(available) === commitment;
  } catch {
    return false;
  }
}

/** Returns the available balance commitment of a commitment on chain: zero is read as EMPTY_AVAILABLE. */
export function readAvailableCommitment(stored: bigint): bigint {
  return stored === 0n ? EMPTY_AVAILABLE : stored;
}

/**
 * Maps uniform bytes (at least 48, as an integer) to a salt in [1, r). Zero can't occur, and the bias is negligible.
 */
export function saltFrom(uniform: bigint): bigint {
  return 1n + (uniform % (FIELD_ORDER - 1n));
}
