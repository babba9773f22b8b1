import { bigintToBytes, bytesToBigint, concat, utf8 } from "./bytes";
import { budgetCommitment, type NoteOpening, noteCommitment } from "./commitments";
import { HPKE_OVERHEAD, openFrom, sealTo } from "./hpke";
import { type Place, placeBytes } from "./scope";
import { budgetSaltOf, noteSaltOf } from "./seed";

/** Bytes of a sealed recipient copy: amount (8) and note salt (32). */
export const RECIPIENT_COPY_LENGTH = 40 + HPKE_OVERHEAD;
/** Bytes of a sealed payer copy: amount (8), new limit (8) and seed (32). */
export const PAYER_COPY_LENGTH = 48 + HPKE_OVERHEAD;

/** What the payer of an operation keeps for itself on chain. `amount` is what moved (of an allocation: the change). */
export interface PayerCopy {
  amount: bigint;
  limit: bigint;
  seed: Uint8Array;
}

/** A payer copy that recomputes its commitment, with the salts its seed gives. */
export interface OpenedPayerCopy extends PayerCopy {
  budgetSalt: bigint;
  noteSalt: bigint;
}

/** The HPKE info of every copy: a role, and the place of the commitment it opens. */
export function copyInfo(role: "recipient" | "payer" | "memo", place: Place): Uint8Array {
  return concat(utf8(`halcyon/1/hpke/${role}`), placeBytes(place));
}

/**
 * Seals a note's opening to its recipient. `place.account` is the recipient, `place.commitment` the note.
 * @throws UnusableViewingKey
 */
export function sealRecipientCopy(viewingKey: Uint8Array, place: Place, note: NoteOpening): Promise<Uint8Array> {
  return sealTo(
    viewingKey,
    copyInfo("recipient", place),
    concat(bigintToBytes(note.amount, 8), bigintToBytes(note.salt, 32)),
  );
}

/** The note's opening, or null when the copy does not open or does not recompute the note: it is then unreadable. */
export async function openRecipientCopy(
  viewingSecret: Uint8Array,
  place: Place,
  sealed: Uint8Array,
): Promise<NoteOpening | null> {
  try {
    const plain = await openFrom(viewingSecret, copyInfo("recipient", place), sealed);
    if (plain.length !== RECIPIENT_COPY_LENGTH - HPKE_OVERHEAD) return null;
    const note = { amount: bytesToBigint(plain.subarray(0, 8)), salt: bytesToBigint(plain.subarray(8)) };
    return noteCommitment(note) === place.commitment ? note : null;
  } catch {
    return null;
  }
}

/**
 * Seals what the owner needs to follow its budget. `place.account` is the account whose budget changes,
 * `place.commitment` its new budget word; `viewingKey` is the owner's X, for an agent as well.
 * @throws UnusableViewingKey
 */
export function sealPayerCopy(viewingKey: Uint8Array, place: Place, copy: PayerCopy): Promise<Uint8Array> {
  const plain = concat(bigintToBytes(copy.amount, 8), bigintToBytes(copy.limit, 8), copy.seed);
  return sealTo(viewingKey, copyInfo("payer", place), plain);
}

/**
 * The payer copy, or null when it does not open or its limit and seed do not recompute the new budget word.
 * The amount is not bound by that word: check it with `copyMatchesNote`, or against the public amount.
 */
export async function openPayerCopy(
  viewingSecret: Uint8Array,
  place: Place,
  sealed: Uint8Array,
): Promise<OpenedPayerCopy | null> {
  try {
    const plain = await openFrom(viewingSecret, copyInfo("payer", place), sealed);
    if (plain.length !== PAYER_COPY_LENGTH - HPKE_OVERHEAD) return null;
    const seed = plain.slice(16);
    const budgetSalt = budgetSaltOf(seed, place.scope);
    const limit = bytesToBigint(plain.subarray(8, 16));
    if (budgetCommitment({ limit, salt: budgetSalt }) !== place.commitment) return null;
    const amount = bytesToBigint(plain.subarray(0, 8));
    return { amount, limit, seed, budgetSalt, noteSalt: noteSaltOf(seed, place.scope) };
  } catch {
    return null;
  }
}

/** Whether an opened payer copy also opens the note (or change note) of its operation. */
export function copyMatchesNote(copy: OpenedPayerCopy, note: bigint): boolean {
  return copy.amount > 0n && noteCommitment({ amount: copy.amount, salt: copy.noteSalt }) === note;
}
