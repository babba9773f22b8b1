import { batchPaymentSeed } from "../crypto/batch-payment-seed";
import { bigintToBytes, concat } from "../crypto/bytes";
import type { NoteOpening } from "../crypto/commitments";
import { epochBatchSeed, epochPaymentSeed } from "../crypto/epoch-seed";
import { decryptFrom, encryptTo, HPKE_OVERHEAD } from "../crypto/hpke";
import { REQUEST_TAG_LENGTH } from "../crypto/request-tag";
import type { CommitmentRef, Scope } from "../crypto/scope";
import { copyInfo } from "./copy-info";
import { FixedFields } from "./fixed-fields";
import { type CopyEpoch, checkMarks, noteOfCopy, type PayerCopy } from "./payer-copy";

/** The most payments in one proof. */
export const BATCH_PAYMENTS = 16;
const SEED_LENGTH = 32;

/**
 * Length of a batch's encrypted payer copy in bytes: new limit (8), spent (8), kind of seed (1), day (3), seed (32), 16
 * tags (16 each), 16 amounts (8 each; zero in an empty slot). It is the same for two payments as for sixteen. The kind is
 * zero for a seed of the batch's own, and one for that of an epoch, from which a client with a home key derives each
 * payment's own by its tag.
 */
export const BATCH_COPY_LENGTH = 20 + SEED_LENGTH + (REQUEST_TAG_LENGTH + 8) * BATCH_PAYMENTS + HPKE_OVERHEAD;

/** What the payer of a batch stores for itself on chain: a payer copy with an amount and a tag for each payment. */
export interface BatchCopy extends Omit<PayerCopy, "amount" | "tag" | "epoch"> {
  /** Of a batch with a home key: what its seeds are derived from. */
  epoch?: Pick<CopyEpoch, "seed">;
  /** 16 amounts in units; zero in empty slots. */
  amounts: readonly bigint[];
  /** 16 tags, each of the request that asked for the payment. */
  tags: readonly Uint8Array[];
}

/** Reports whether an encrypted payer copy is a batch's, by its length. */
export function isBatchCopy(encrypted: Uint8Array): boolean {
  return encrypted.length === BATCH_COPY_LENGTH;
}

/** Returns the tags of a payer copy, one for each payment. */
export function copyTags(copy: Pick<PayerCopy, "tag"> | Pick<BatchCopy, "tags">): readonly Uint8Array[] {
  return "tags" in copy ? copy.tags : [copy.tag];
}

/**
 * Encrypts what the payer of a batch needs to follow its available balance. For `ref`, see `encryptPayerCopy`.
 *
 * @throws UnusableViewingKey
 */
export async function encryptBatchCopy(
  viewingKey: Uint8Array,
  ref: CommitmentRef,
  { limit, window, seed, epoch, tags, amounts }: BatchCopy,
): Promise<Uint8Array> {
  checkMarks(seed, ...tags);
  if (amounts.length !== BATCH_PAYMENTS || tags.length !== BATCH_PAYMENTS) {
    throw new RangeError("a batch has 16 slots");
  }
  const plain = concat(
    bigintToBytes(limit, 8),
    bigintToBytes(window.spent, 8),
    bigintToBytes(epoch ? 1n : 0n, 1),
    bigintToBytes(window.day, 3),
    epoch?.seed ?? seed,
    ...tags,
    ...amounts.map((amount) => bigintToBytes(amount, 8)),
  );
  return encryptTo(viewingKey, copyInfo("batch", ref), plain);
}

/**
 * Decrypts the payer copy of a batch; returns null if that fails. Its content is not verified until `availableOfCopy`
 * or `noteOfBatch` has recomputed a commitment on chain from it.
 */
export async function decryptBatchCopy(
  viewingSecret: Uint8Array,
  ref: CommitmentRef,
  encrypted: Uint8Array,
): Promise<BatchCopy | null> {
  try {
    const fields = new FixedFields(await decryptFrom(viewingSecret, copyInfo("batch", ref), encrypted));
    const limit = fields.integer(8);
    const spent = fields.integer(8);
    const kind = fields.integer(1);
    const window = { spent, day: fields.integer(3) };
    const seed = fields.bytes(SEED_LENGTH);
    const slots = <T>(read: () => T) => Array.from({ length: BATCH_PAYMENTS }, read);
    const tags = slots(() => fields.bytes(REQUEST_TAG_LENGTH));
    const amounts = slots(() => fields.integer(8));
    fields.end();
    const copy = { limit, window, seed, tags, amounts };
    return kind === 0n ? copy : { ...copy, seed: epochBatchSeed({ seed }, ref.scope, tags), epoch: { seed } };
  } catch {
    return null;
  }
}

/** Returns the seed of the payment at `index` of a batch. */
export function seedInBatch(copy: Pick<BatchCopy, "seed" | "epoch" | "tags">, scope: Scope, index: number): Uint8Array {
  const tag = copy.tags[index];
  return copy.epoch && tag ? epochPaymentSeed(copy.epoch, scope, tag) : batchPaymentSeed(copy.seed, scope, index);
}

/**
 * Returns the opening of the note at `index` of a batch; null if the copy's content doesn't match the note.
 *
 * @param ref the note, with its recipient as the account
 */
export function noteOfBatch(copy: BatchCopy, ref: CommitmentRef, index: number): NoteOpening | null {
  const amount = copy.amounts[index];
  if (amount === undefined) return null;
  return noteOfCopy({ amount, seed: seedInBatch(copy, ref.scope, index) }, ref);
}
