import { bigintToBytes, concat } from "../crypto/bytes";
import { type BudgetOpening, budgetCommitment, type NoteOpening, noteCommitment } from "../crypto/commitments";
import { HPKE_OVERHEAD, openFrom, sealTo } from "../crypto/hpke";
import { REQUEST_TAG_LENGTH } from "../crypto/request-tag";
import type { CommitmentRef } from "../crypto/scope";
import { budgetSaltOf, noteSaltOf } from "../crypto/seed";
import type { BudgetWindow } from "../crypto/window";
import { copyInfo } from "./copy-info";
import { FixedFields } from "./fixed-fields";

const SEED_LENGTH = 32;
/**
 * Bytes of a sealed payer copy: amount (8), new limit (8), spent (8), day (4), seed (32), tag (16). All are of this
 * length, so a copy does not show whether a policy counts.
 */
export const PAYER_COPY_LENGTH = 28 + SEED_LENGTH + REQUEST_TAG_LENGTH + HPKE_OVERHEAD;

/** What the payer of an operation keeps for itself on chain. `amount` is what moved (of an allocation: the change). */
export interface PayerCopy {
  amount: bigint;
  /** The new budget, in units. */
  limit: bigint;
  /** Its window; NO_WINDOW where no policy counts. */
  window: BudgetWindow;
  seed: Uint8Array;
  /** `requestTag`, or a random one. */
  tag: Uint8Array;
}

/** @throws RangeError when the seed, or a tag, of a copy has another length than its own */
export function checkMarks(seed: Uint8Array, ...tags: Uint8Array[]): void {
  if (seed.length !== SEED_LENGTH) throw new RangeError("a seed has 32 bytes");
  if (tags.some(({ length }) => length !== REQUEST_TAG_LENGTH)) throw new RangeError("a tag has 16 bytes");
}

/**
 * Seals what the owner needs to follow its budget. `ref.account` is the account whose budget changes,
 * `ref.commitment` its new budget word; `viewingKey` is the owner's X, for an agent as well.
 * @throws UnusableViewingKey
 */
export async function sealPayerCopy(
  viewingKey: Uint8Array,
  ref: CommitmentRef,
  { amount, limit, window, seed, tag }: PayerCopy,
): Promise<Uint8Array> {
  checkMarks(seed, tag);
  const numbers = [amount, limit, window.spent].map((units) => bigintToBytes(units, 8));
  const plain = concat(...numbers, bigintToBytes(window.day, 4), seed, tag);
  return sealTo(viewingKey, copyInfo("payer", ref), plain);
}

/**
 * The payer copy, or null when it does not open. Nothing of it is believed before `budgetOfCopy` or `noteOfCopy` has
 * recomputed a word that the chain has from it; amount and tag are bound by no budget word.
 */
export async function openPayerCopy(
  viewingSecret: Uint8Array,
  ref: CommitmentRef,
  sealed: Uint8Array,
): Promise<PayerCopy | null> {
  try {
    const fields = new FixedFields(await openFrom(viewingSecret, copyInfo("payer", ref), sealed));
    const amount = fields.integer(8);
    const limit = fields.integer(8);
    const window = { spent: fields.integer(8), day: fields.integer(4) };
    const copy = { amount, limit, window, seed: fields.bytes(SEED_LENGTH), tag: fields.bytes(REQUEST_TAG_LENGTH) };
    fields.end();
    return copy;
  } catch {
    return null;
  }
}

/**
 * The opening of the budget word at `ref`, which replaced `oldBudget`; null when the copy does not recompute it. Not
 * for `spend` and `spendPublic`, whose salt follows from the old one (`ratchet.ts`).
 */
export function budgetOfCopy(
  { limit, window, seed }: Pick<PayerCopy, "limit" | "window" | "seed">,
  ref: CommitmentRef,
  oldBudget: bigint,
): BudgetOpening | null {
  const opening = { limit, window, salt: budgetSaltOf(seed, ref.scope, oldBudget) };
  return budgetCommitment(opening) === ref.commitment ? opening : null;
}

/**
 * The opening of the note (or change note) at `ref`, whose account is its owner; null when the copy does not
 * recompute it.
 */
export function noteOfCopy(
  { amount, seed }: Pick<PayerCopy, "amount" | "seed">,
  ref: CommitmentRef,
): NoteOpening | null {
  if (amount === 0n) return null;
  const opening = { amount, salt: noteSaltOf(seed, ref, amount) };
  return noteCommitment(opening) === ref.commitment ? opening : null;
}
