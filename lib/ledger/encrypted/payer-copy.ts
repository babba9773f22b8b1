import { bigintToBytes, concat } from "../crypto/bytes";
import { type AvailableOpening, availableCommitment, type NoteOpening, noteCommitment } from "../crypto/commitments";
import { epochPaymentSeed } from "../crypto/epoch-seed";
import { decryptFrom, encryptTo, HPKE_OVERHEAD } from "../crypto/hpke";
import { availableSaltOf, noteSaltOf } from "../crypto/payment-seed";
import { REQUEST_TAG_LENGTH } from "../crypto/request-tag";
import type { CommitmentRef } from "../crypto/scope";
import type { AvailableWindow } from "../crypto/window";
import { copyInfo } from "./copy-info";
import { FixedFields } from "./fixed-fields";

const SEED_LENGTH = 32;
/**
 * Length of an encrypted payer copy in bytes: amount (8), new limit (8), spent (8), kind of seed (1), day (3), seed
 * (32), tag (16). All have the same length, so that a copy shows neither whether a policy counts nor what kind of key
 * paid. The kind is zero for the payment's own seed. With a home key it is one more than `opened`, and the seed is the
 * epoch's: so the owner finds every epoch again on the chain.
 */
export const PAYER_COPY_LENGTH = 28 + SEED_LENGTH + REQUEST_TAG_LENGTH + HPKE_OVERHEAD;

/**
 * What the payer of an operation stores for itself on chain. `amount` is what moved; for a move to the available
 * balance, the change.
 */
export interface PayerCopy {
  amount: bigint;
  /** The new available balance, in units. */
  limit: bigint;
  /** The window of the new available balance; NO_WINDOW without a policy. */
  window: AvailableWindow;
  seed: Uint8Array;
  /** `requestTag`, or a random tag. */
  tag: Uint8Array;
  /** Of a payment with a home key: what its seed is derived from. */
  epoch?: CopyEpoch;
}

/** From what the seed of a payment with a home key is derived, beside its tag. */
export interface CopyEpoch {
  /** E. */
  seed: Uint8Array;
  /** How many notes of the tag others had opened (`epochPaymentSeed`). */
  opened: number;
}

/**
 * Checks the lengths of a copy's seed and tags.
 *
 * @throws RangeError
 */
export function checkMarks(seed: Uint8Array, ...tags: Uint8Array[]): void {
  if (seed.length !== SEED_LENGTH) throw new RangeError("a seed has 32 bytes");
  if (tags.some(({ length }) => length !== REQUEST_TAG_LENGTH)) throw new RangeError("a tag has 16 bytes");
}

/**
 * Encrypts what the owner needs to follow an available balance.
 *
 * @param viewingKey the owner's X, also for an agent's available balance
 * @param ref `ref.account` is the account whose available balance changes, `ref.commitment` its new available balance
 *   commitment
 * @throws UnusableViewingKey
 */
export async function encryptPayerCopy(
  viewingKey: Uint8Array,
  ref: CommitmentRef,
  { amount, limit, window, seed, tag, epoch }: PayerCopy,
): Promise<Uint8Array> {
  checkMarks(seed, tag);
  const numbers = [amount, limit, window.spent].map((units) => bigintToBytes(units, 8));
  const kind = epoch ? BigInt(epoch.opened) + 1n : 0n;
  const plain = concat(...numbers, bigintToBytes(kind, 1), bigintToBytes(window.day, 3), epoch?.seed ?? seed, tag);
  return encryptTo(viewingKey, copyInfo("payer", ref), plain);
}

/**
 * Decrypts a payer copy; returns null if that fails. Its content is not verified until `availableOfCopy` or
 * `noteOfCopy` has recomputed a commitment on chain from it. Available balance commitments don't cover amount and tag.
 */
export async function decryptPayerCopy(
  viewingSecret: Uint8Array,
  ref: CommitmentRef,
  encrypted: Uint8Array,
): Promise<PayerCopy | null> {
  try {
    const fields = new FixedFields(await decryptFrom(viewingSecret, copyInfo("payer", ref), encrypted));
    const amount = fields.integer(8);
    const limit = fields.integer(8);
    const spent = fields.integer(8);
    const opened = Number(fields.integer(1)) - 1;
    const window = { spent, day: fields.integer(3) };
    const [seed, tag] = [fields.bytes(SEED_LENGTH), fields.bytes(REQUEST_TAG_LENGTH)];
    fields.end();
    const copy = { amount, limit, window, seed, tag };
    if (opened < 0) return copy;
    return { ...copy, seed: epochPaymentSeed({ seed }, ref.scope, tag, opened), epoch: { seed, opened } };
  } catch {
    return null;
  }
}

/**
 * Returns the opening of the available balance commitment in `ref`, which replaced `oldAvailable`; null if the copy's
 * content doesn't match it. Not for `spend` and `spendPublic`, whose salt is derived from the old one (`ratchet.ts`).
 */
export function availableOfCopy(
  { limit, window, seed }: Pick<PayerCopy, "limit" | "window" | "seed">,
  ref: CommitmentRef,
  oldAvailable: bigint,
): AvailableOpening | null {
  const opening = { limit, window, salt: availableSaltOf(seed, ref.scope, oldAvailable) };
  return availableCommitment(opening) === ref.commitment ? opening : null;
}

/**
 * Returns the opening of the note (or change note) in `ref`, whose account is the note's owner; null if the copy's
 * content doesn't match it.
 */
export function noteOfCopy(
  { amount, seed }: Pick<PayerCopy, "amount" | "seed">,
  ref: CommitmentRef,
): NoteOpening | null {
  if (amount === 0n) return null;
  const opening = { amount, salt: noteSaltOf(seed, ref, amount) };
  return noteCommitment(opening) === ref.commitment ? opening : null;
}
