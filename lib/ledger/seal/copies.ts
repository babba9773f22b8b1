import { bigintToBytes, bytesToBigint, concat, utf8 } from "../crypto/bytes";
import { type BudgetOpening, budgetCommitment, type NoteOpening, noteCommitment } from "../crypto/commitments";
import { HPKE_OVERHEAD, openFrom, sealTo } from "../crypto/hpke";
import { type CommitmentRef, commitmentRefBytes } from "../crypto/scope";
import { budgetSaltOf, noteSaltOf } from "../crypto/seed";

/** Bytes of a sealed recipient copy: amount (8) and note salt (32). */
export const RECIPIENT_COPY_LENGTH = 40 + HPKE_OVERHEAD;
/** Bytes of a sealed payer copy: amount (8), new limit (8) and seed (32). */
export const PAYER_COPY_LENGTH = 48 + HPKE_OVERHEAD;

/** What the payer of an operation keeps for itself on chain. `amount` is what moved (of an allocation: the change). */
interface PayerCopy {
  amount: bigint;
  limit: bigint;
  seed: Uint8Array;
}

/** The HPKE info of every copy: a role, and the place of the commitment it opens. */
export function copyInfo(role: "recipient" | "payer" | "memo", ref: CommitmentRef): Uint8Array {
  return concat(utf8(`halcyon/1/hpke/${role}`), commitmentRefBytes(ref));
}

/**
 * Seals a note's opening to its recipient. `ref.account` is the recipient, `ref.commitment` the note.
 * @throws UnusableViewingKey
 */
export function sealRecipientCopy(viewingKey: Uint8Array, ref: CommitmentRef, note: NoteOpening): Promise<Uint8Array> {
  return sealTo(
    viewingKey,
    copyInfo("recipient", ref),
    concat(bigintToBytes(note.amount, 8), bigintToBytes(note.salt, 32)),
  );
}

/** The note's opening, or null when the copy does not open or does not recompute the note: it is then unreadable. */
export async function openRecipientCopy(
  viewingSecret: Uint8Array,
  ref: CommitmentRef,
  sealed: Uint8Array,
): Promise<NoteOpening | null> {
  try {
    const plain = await openFrom(viewingSecret, copyInfo("recipient", ref), sealed);
    if (plain.length !== RECIPIENT_COPY_LENGTH - HPKE_OVERHEAD) return null;
    const note = { amount: bytesToBigint(plain.subarray(0, 8)), salt: bytesToBigint(plain.subarray(8)) };
    return noteCommitment(note) === ref.commitment ? note : null;
  } catch {
    return null;
  }
}

/**
 * Seals what the owner needs to follow its budget. `ref.account` is the account whose budget changes,
 * `ref.commitment` its new budget word; `viewingKey` is the owner's X, for an agent as well.
 * @throws UnusableViewingKey
 */
export function sealPayerCopy(viewingKey: Uint8Array, ref: CommitmentRef, copy: PayerCopy): Promise<Uint8Array> {
  const plain = concat(bigintToBytes(copy.amount, 8), bigintToBytes(copy.limit, 8), copy.seed);
  return sealTo(viewingKey, copyInfo("payer", ref), plain);
}

/**
 * The payer copy, or null when it does not open. Nothing of it is believed before `budgetOfCopy` or `noteOfCopy` has
 * recomputed a word that the chain has from it; its amount alone is bound by no budget word.
 */
export async function openPayerCopy(
  viewingSecret: Uint8Array,
  ref: CommitmentRef,
  sealed: Uint8Array,
): Promise<PayerCopy | null> {
  try {
    const plain = await openFrom(viewingSecret, copyInfo("payer", ref), sealed);
    if (plain.length !== PAYER_COPY_LENGTH - HPKE_OVERHEAD) return null;
    const [amount, limit] = [plain.subarray(0, 8), plain.subarray(8, 16)].map(bytesToBigint);
    return { amount: amount ?? 0n, limit: limit ?? 0n, seed: plain.slice(16) };
  } catch {
    return null;
  }
}

/** The opening of the budget word at `ref`, which replaced `oldBudget`; null when the copy does not recompute it. */
export function budgetOfCopy({ limit, seed }: PayerCopy, ref: CommitmentRef, oldBudget: bigint): BudgetOpening | null {
  const opening = { limit, salt: budgetSaltOf(seed, ref.scope, oldBudget) };
  return budgetCommitment(opening) === ref.commitment ? opening : null;
}

/**
 * The opening of the note (or change note) at `ref`, whose account is its owner; null when the copy does not
 * recompute it.
 */
export function noteOfCopy({ amount, seed }: PayerCopy, ref: CommitmentRef): NoteOpening | null {
  if (amount === 0n) return null;
  const opening = { amount, salt: noteSaltOf(seed, ref, amount) };
  return noteCommitment(opening) === ref.commitment ? opening : null;
}
