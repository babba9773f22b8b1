import { batchPaymentSeed } from "../crypto/batch-payment-seed";
import { bigintToBytes, concat } from "../crypto/bytes";
import type { NoteOpening } from "../crypto/commitments";
import { HPKE_OVERHEAD, openFrom, sealTo } from "../crypto/hpke";
import { REQUEST_TAG_LENGTH } from "../crypto/request-tag";
import type { CommitmentRef } from "../crypto/scope";
import { copyInfo } from "./copy-info";
import { FixedFields } from "./fixed-fields";
import { checkMarks, noteOfCopy, type PayerCopy } from "./payer-copy";

/** Payments of one proof. */
export const BATCH_PAYMENTS = 16;
const SEED_LENGTH = 32;

/**
 * Bytes of a batch's sealed payer copy: new limit (8), spent (8), day (4), seed (32), 16 tags (16 each), 16 amounts (8
 * each; zero in an empty slot). It is as long for two payments as for sixteen.
 */
export const BATCH_COPY_LENGTH = 20 + SEED_LENGTH + (REQUEST_TAG_LENGTH + 8) * BATCH_PAYMENTS + HPKE_OVERHEAD;

/** What the payer of a batch keeps for itself on chain: as a payer copy, with an amount and a tag for each payment. */
export interface BatchCopy extends Omit<PayerCopy, "amount" | "tag"> {
  /** 16; empty slots are zero. */
  amounts: readonly bigint[];
  /** 16: of the request that asked for each payment. */
  tags: readonly Uint8Array[];
}

/** Whether a sealed payer copy is that of a batch: by its length alone. */
export function isBatchCopy(sealed: Uint8Array): boolean {
  return sealed.length === BATCH_COPY_LENGTH;
}

/** The tags of a payer copy: one for each payment. */
export function copyTags(copy: Pick<PayerCopy, "tag"> | Pick<BatchCopy, "tags">): readonly Uint8Array[] {
  return "tags" in copy ? copy.tags : [copy.tag];
}

/**
 * Seals what the payer of a batch needs to follow its budget. `ref` is as for `sealPayerCopy`.
 * @throws UnusableViewingKey
 */
export async function sealBatchCopy(
  viewingKey: Uint8Array,
  ref: CommitmentRef,
  { limit, window, seed, tags, amounts }: BatchCopy,
): Promise<Uint8Array> {
  checkMarks(seed, ...tags);
  if (amounts.length !== BATCH_PAYMENTS || tags.length !== BATCH_PAYMENTS) {
    throw new RangeError("a batch has 16 slots");
  }
  const plain = concat(
    bigintToBytes(limit, 8),
    bigintToBytes(window.spent, 8),
    bigintToBytes(window.day, 4),
    seed,
    ...tags,
    ...amounts.map((amount) => bigintToBytes(amount, 8)),
  );
  return sealTo(viewingKey, copyInfo("batch", ref), plain);
}

/**
 * The payer copy of a batch, or null when it does not open. Nothing of it is believed before `budgetOfCopy` or
 * `noteOfBatch` has recomputed a word that the chain has from it.
 */
export async function openBatchCopy(
  viewingSecret: Uint8Array,
  ref: CommitmentRef,
  sealed: Uint8Array,
): Promise<BatchCopy | null> {
  try {
    const fields = new FixedFields(await openFrom(viewingSecret, copyInfo("batch", ref), sealed));
    const limit = fields.integer(8);
    const window = { spent: fields.integer(8), day: fields.integer(4) };
    const seed = fields.bytes(SEED_LENGTH);
    const slots = <T>(read: () => T) => Array.from({ length: BATCH_PAYMENTS }, read);
    const tags = slots(() => fields.bytes(REQUEST_TAG_LENGTH));
    const amounts = slots(() => fields.integer(8));
    fields.end();
    return { limit, window, seed, tags, amounts };
  } catch {
    return null;
  }
}

/** The opening of the note at `index` of a batch, at `ref` of its recipient; null when the copy does not recompute it. */
export function noteOfBatch(copy: BatchCopy, ref: CommitmentRef, index: number): NoteOpening | null {
  const amount = copy.amounts[index];
  if (amount === undefined) return null;
  return noteOfCopy({ amount, seed: batchPaymentSeed(copy.seed, ref.scope, index) }, ref);
}
